// Type of the person that a session acts for.

/** Person that a session acts for, as named by the customer's system. */
export interface Person {
  readonly userId?: string
  readonly displayName?: string
  readonly groupId?: string
  readonly groups?: readonly string[]
}
