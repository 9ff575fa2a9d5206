/** The declarations of `@msgpack/msgpack` use this name of the browser's library, which Node's types do not carry. */
type BufferSource = ArrayBufferView | ArrayBuffer;
