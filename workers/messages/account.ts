// The account a task is charged to, as a path: a tenant, within it a token or a share, within that a session. Threads
// and queues are shared fairly along this path, so that a party with much work delays only those who share the path.

export interface Party {
  /** Name, unique among the parties of the same parent. */
  readonly name: string
  /** Share of the parent's time, relative to the weights of other active parties. */
  readonly weight: number
}

export type Account = readonly Party[]

/** Account of the server's own work: probes, checks. */
export const ownAccount: Account = [{ name: '', weight: 1 }]

/** Returns a text that is equal for accounts that are equal in their first `levels` levels. */
export const accountText = (account: Account, levels: number): string =>
  JSON.stringify(account.slice(0, levels).map(({ name }) => name))
