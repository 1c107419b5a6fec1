// Bus topic for events that may invalidate tokens of a tenant: revocation, suspension, deletion.

/** `tenant` is its internal id. */
export const tenantTopic = (tenant: string): string => `tenant:${tenant}`
