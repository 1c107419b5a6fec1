// Bus topic for events that may invalidate tokens of a tenant: revocation, suspension, deletion.

/** Returns the topic. `tenant`: internal id of the tenant. */
export const tenantTopic = (tenant: string): string => `tenant:${tenant}`
