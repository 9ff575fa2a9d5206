import { isPveError, type PveClient, PveError } from "#pve";
import { ProviderProblem } from "../run-command.ts";
import { tidy, tidyList } from "./tidy.ts";

export type Fields = Readonly<Record<string, unknown>>;

type Given = Readonly<Record<string, string | number>>;

/** A part of the cluster that could not be read, and why. */
export interface Unseen {
  readonly path: string;
  readonly reason: string;
}

const tooLittle = ({ message }: PveError): string =>
  `The caller may not see the cluster: ${message}. The role PVEAuditor on / shows what is needed; on a node:\n` +
  "  pveum acl modify / --roles PVEAuditor --tokens 'USER@REALM!TOKEN'";

const isRefusal = ({ kind }: PveError): boolean => kind === "permission";

/**
 * Reads a cluster as far as the caller may see it. A call that PVE refuses leaves a hole, which is noted; a cluster that
 * does not answer, or does not accept the credentials, ends the reading.
 */
export class Reader {
  readonly #client: PveClient;
  readonly #unseen = new Map<string, Unseen>();

  constructor(client: PveClient) {
    this.#client = client;
  }

  get unseen(): readonly Unseen[] {
    return [...this.#unseen.values()];
  }

  /** Something is there that a seed cannot hold. */
  note(path: string, reason: string): void {
    this.#unseen.set(path, { path, reason });
  }

  async list(path: string, given: Given = {}): Promise<readonly Fields[]> {
    return (await this.#attempt(path, given, () => this.#collect(path, given))) ?? [];
  }

  async one(path: string, given: Given = {}): Promise<Fields | null> {
    return this.#attempt(path, given, () => this.#get(path, given));
  }

  /** Like `one`, for what many clusters do not have. */
  async perhaps(path: string, given: Given = {}): Promise<Fields | null> {
    return this.#orNull(this.#get(path, given));
  }

  /** Like `list`, for what is of use and not a part of the cluster. */
  async perhapsList(path: string, given: Given = {}): Promise<readonly Fields[]> {
    return (await this.#orNull(this.#collect(path, given))) ?? [];
  }

  /** Like `list`, for what a node may not have installed: only a refusal is noted. */
  async listIfThere(path: string, given: Given = {}): Promise<readonly Fields[]> {
    return (await this.#attempt(path, given, () => this.#collect(path, given), isRefusal)) ?? [];
  }

  async oneIfThere(path: string, given: Given = {}): Promise<Fields | null> {
    return this.#attempt(path, given, () => this.#get(path, given), isRefusal);
  }

  /** The configuration in a backup, which a restore needs; null for callers who may not read it. */
  async archived(node: string, volume: string): Promise<Fields | null> {
    return this.#orNull(this.#client.backup.extractConfig(node, volume));
  }

  async #collect(path: string, given: Given): Promise<Fields[]> {
    return tidyList(path, await this.#client.collect(path, given));
  }

  async #get(path: string, given: Given): Promise<Fields> {
    return tidy(await this.#client.objects("", { path }).get(given));
  }

  async #orNull<T>(reading: Promise<T>): Promise<T | null> {
    return reading.catch((reason: unknown) => {
      if (isPveError(reason) && !isPveError(reason, "auth")) return null;
      throw reason;
    });
  }

  async #attempt<T>(
    path: string,
    given: Given,
    read: () => Promise<T>,
    isNoted: (reason: PveError) => boolean = () => true,
  ): Promise<T | null> {
    try {
      return await read();
    } catch (reason) {
      if (!(reason instanceof PveError) || reason.kind === "auth") throw reason;
      // The first calls ask the cluster as a whole: if they fail, there is nothing to export.
      if (path === "/cluster/status" && reason.kind === "permission") throw new ProviderProblem(tooLittle(reason));
      if (path === "/version" || path === "/cluster/status") throw reason;
      const place = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(given[name]));
      if (isNoted(reason)) this.note(place, reason.message);
      return null;
    }
  }
}
