// The topic of the bus that tells of whatever may end the standing of a tenant's tokens: revocation, suspension, deletion.

/** `tenant` is its internal id. */
export const tenantTopic = (tenant: string): string => `tenant:${tenant}`
