// Limits of the resolution of host names, with their units.

export const nameLimits = {
  /** Time in which a name server must answer the first query for a name; it doubles with each repetition. */
  nameServerTimeoutMs: 1_500,
  nameServerTries: 3,
  /** Time for which the addresses of the other family are waited for after those of one arrived. */
  secondFamilyMs: 500,
  /**
   * Maximum queue of one tenant's names that only the operating system may know, and the number of full queues above
   * which tenants with less than their share are favoured.
   */
  systemLookupsWaitingMax: 32,
  systemLookupsFullQueuesMax: 8,
} as const
