// What a conformance suite needs of a test runner; tap's `t` has it. An adapter's whole test is one call.

export interface Tester {
  test(title: string, body: (t: Tester) => Promise<void>): Promise<unknown>
  ok(value: unknown, message?: string): unknown
  equal(found: unknown, wanted: unknown, message?: string): unknown
  same(found: unknown, wanted: unknown, message?: string): unknown
  rejects(promise: Promise<unknown>, expected?: object, message?: string): Promise<unknown>
}
