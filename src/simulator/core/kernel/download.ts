/** What a handler returns to send a file instead of an envelope. */
export class Download {
  readonly body: string;
  readonly contentType: string;
  readonly disposition: string;

  constructor(body: string, contentType: string, disposition: string) {
    this.body = body;
    this.contentType = contentType;
    this.disposition = disposition;
  }
}
