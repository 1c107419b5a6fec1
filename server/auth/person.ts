// Person that a session acts for.

/** The person a session acts for, as the customer's system names them. */
export interface Person {
  readonly userId?: string
  readonly displayName?: string
  readonly groupId?: string
  readonly groups?: readonly string[]
}
