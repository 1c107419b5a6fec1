// Bus topic for redactions: every process evicts content from its caches.
export const erasureTopic = 'erased-content'
