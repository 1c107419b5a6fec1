// Makes `instanceof` work across copies of this package: a plugin may have its own copy, whose errors must be
// recognised.

/**
 * Makes `instanceof` recognise instances of every copy of the class. Call it in a static block of the class: `static {
 * recogniseEverywhere(Problem, 'Problem') }`. Not for classes with subclasses.
 */
export function recogniseEverywhere(type: { readonly prototype: object }, name: string): void {
  const brand = Symbol.for(`steward.${name}`)
  Object.defineProperty(type.prototype, brand, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && brand in value,
  })
}
