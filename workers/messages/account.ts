// Who a task is done for, from the outside in: a tenant, in it a token or a share, in that a session. Threads and queues are
// shared out along this path, so that one of them who wants very much delays only those who share the path.

export interface Party {
  /** Unique among the parties of the same parent. */
  readonly name: string
  /** Share of the parent's time, beside the weights of the other parties that want any. */
  readonly weight: number
}

export type Account = readonly Party[]

/** Work of the server itself: probes, checks. */
export const ownAccount: Account = [{ name: '', weight: 1 }]

/** Two accounts with the same text are the same account as far as `levels` of them count. */
export const accountText = (account: Account, levels: number): string =>
  JSON.stringify(account.slice(0, levels).map(({ name }) => name))
