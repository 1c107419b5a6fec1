// An example of every kind for `agents explain` and the reference: one section of agents.yaml each.

/** Example declarations in YAML, by kind. Together they are a complete project. */
export const examples: Readonly<Record<string, string>> = {
  environment: `environments:
  workshop:
    description: Where reviews run
    config:
      type: cloud
      networking: { type: limited, allowed_hosts: [git.example.com] }
      packages: { pip: [ruff==0.6.9], npm: [prettier] }
  counter:
    config: { type: cloud }
`,
  tunnel: `tunnels:
  office:
    tunnel_id: tnl_0123456789   # as the administrator gave it
`,
  vault: `vaults:
  keys:
    credentials:
      - name: issues
        type: static_bearer
        mcp_server_url: https://mcp.example.com/mcp
        access_token: \${ISSUES_TOKEN}
      - name: git
        type: environment_variable
        secret_name: GIT_TOKEN
        secret_value: \${GIT_TOKEN}
`,
  memory_store: `memory_stores:
  findings:
    description: What reviews found before
    entries_mode: initialize
    entries:
      - key: style.md
        content: Prefer short functions.
`,
  skill: `skills:
  review:
    source: ./skills/review     # a folder with SKILL.md
`,
  file: `files:
  handbook:
    source: ./handbook.md
`,
  identity: `identities:
  visitor:
    external_id: visitor-of-the-shop
    name: Visitor
`,
  agent: `agents:
  reviewer:
    description: Reviews changes
    model: ultimate
    instructions: ./instructions/reviewer.md
    environment: workshop
    vault: keys
    skills: [review]
    files:
      - { file: handbook, mount_path: docs/handbook.md }
    memory_stores: [findings]
    mcp_servers:
      - { name: issues, type: url, url: https://mcp.example.com/mcp }
    tools:
      builtin: [bash, read, grep]
      permissions: { bash: ask }
      mcp:
        - type: mcp_toolkit
          mcp_server_name: issues
          default_config: { enabled: true }
  desk:
    description: Answers customers
    model: ultimate
    instructions: Answer in two sentences.
    environment: counter
    delivery: { qoder: { type: forward } }
`,
  channel: `channels:
  support:
    type: dingtalk
    agent: desk
    identity: visitor
    credentials:
      client_id: \${DINGTALK_ID}
      client_secret: \${DINGTALK_SECRET}
`,
  deployment: `deployments:
  nightly:
    agent: reviewer
    vaults: [keys]
    initial_events:
      - type: user.message
        content: Review what was merged since yesterday.
    schedule: { expression: "0 6 * * *", timezone: Europe/Berlin }
`,
}
