/** Name of the set of built-in tools, which services that speak this wire version by themselves. */
export const builtinToolset = 'agent_toolset_20260401'
