/** The declarations of `@msgpack/msgpack` use this name from the browser library, which Node's types do not have. */
type BufferSource = ArrayBufferView | ArrayBuffer;
