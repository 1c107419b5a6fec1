// Types of the part of WebAssembly that the workers use. TypeScript declares it only in its library for browsers, which
// the project does not use.
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
  /** A trap: execution was aborted, and the memory may be inconsistent. */
  interface RuntimeError extends Error {}

  const Module: { new (bytes: Uint8Array): Module; readonly prototype: Module }
  const Instance: { new (module: Module, imports: Imports): Instance }
  const RuntimeError: { new (message?: string): RuntimeError; readonly prototype: RuntimeError }
  function compile(bytes: Uint8Array): Promise<Module>
}
