// The part of WebAssembly that the workers use. TypeScript has it in its library for browsers, which nothing else here
// may see.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  interface Imports {
    readonly [module: string]: Readonly<Record<string, unknown>>
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>
  }
  /** A trap: the code stopped in the middle, and its memory is not to be trusted any more. */
  interface RuntimeError extends Error {}

  const Module: { new (bytes: Uint8Array): Module; readonly prototype: Module }
  const Instance: { new (module: Module, imports: Imports): Instance }
  const RuntimeError: { new (message?: string): RuntimeError; readonly prototype: RuntimeError }
  function compile(bytes: Uint8Array): Promise<Module>
}
