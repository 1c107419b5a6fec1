// An agents.yaml with many agents, each a little different, as a generator of real ones would write it.

export function manyAgents(count) {
  const agents = Array.from({ length: count }, (_, index) => agent(index))
  return `version: "1"
providers:
  qoder:
    api_key: \${QODER_PAT}
defaults:
  provider: qoder
environments:
  base:
    config:
      type: cloud
agents:
${agents.join('')}`
}

function agent(index) {
  return `  agent-${index}:
    description: Reviews part ${index} of the code base
    model: auto
    instructions: |
      You review changes of part ${index}.
      Read the whole change before you comment, and say what matters first.
      When you are not sure, ask.
    environment: base
    tools:
      builtin: [bash, read, glob, grep]
      permissions:
        bash: ask
    metadata:
      part: "${index}"
      team: team-${index % 20}
`
}
