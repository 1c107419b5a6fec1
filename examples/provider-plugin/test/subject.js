// What the conformance suite works on: a project that uses all of Acme, and changes of it.
import { startService } from '../service/server.js'

/** @import { Subject, Version } from 'steward/plugin' */

const text = `version: "1"
providers:
  acme:
    api_key: \${ACME_API_KEY}
    base_url: \${ACME_URL}
environments:
  workshop:
    description: Where reviews run
    config:
      type: cloud
      packages: { npm: [prettier], pip: [ruff] }
    metadata: { team: platform }
vaults:
  keys:
    display_name: Keys
    credentials:
      - { name: issues, type: static_bearer, mcp_server_url: https://issues.example.com/mcp, access_token: "\${ISSUES_TOKEN}" }
      - { name: wiki, type: static_bearer, mcp_server_url: https://wiki.example.com/mcp, access_token: "\${WIKI_TOKEN}" }
agents:
  reviewer:
    description: Reviews changes
    model: acme-large
    instructions: Review what you are given.
    environment: workshop
    vault: keys
    tools: { builtin: [read, grep] }
  writer:
    model: { acme: acme-small }
    instructions: Write what you are asked for.
    environment: workshop
`

/** @type {Version} */
const project = { text }

/**
 * @param {readonly (readonly [from: string, to: string])[]} replacements each stands in the text once
 * @returns {Version}
 */
function edited(...replacements) {
  let changed = text
  for (const [from, to] of replacements) {
    if (changed.split(from).length !== 2) throw new Error(`${from} is not once in the text`)
    changed = changed.replace(from, () => to)
  }
  return { text: changed }
}

/** @type {Omit<Subject, 'provider' | 'kinds'>} */
export const subject = {
  project,
  edits: {
    'descriptions changed': edited(
      ['Where reviews run', 'Where all reviews run'],
      ['Review what you are given.', 'Review it twice.'],
      ['display_name: Keys', 'display_name: All keys'],
    ),
    'optional things were removed': edited(
      ['    description: Where reviews run\n', ''],
      ['    metadata: { team: platform }\n', ''],
      ['    vault: keys\n', ''],
      ['    tools: { builtin: [read, grep] }\n', ''],
    ),
    'one credential was removed and another moved': edited(
      [
        '      - { name: wiki, type: static_bearer, mcp_server_url: https://wiki.example.com/mcp, access_token: "${WIKI_TOKEN}" }\n',
        '',
      ],
      ['https://issues.example.com', 'https://tracker.example.com'],
    ),
    'the environment became another one': edited(['type: cloud', 'type: self_hosted']),
    'an agent was renamed': edited(['  writer:\n', '  author:\n']),
  },
  variables: { ACME_API_KEY: 'acme-key-0123', ISSUES_TOKEN: 'issues-t0ken-value', WIKI_TOKEN: 'wiki-t0ken-value' },
  async startService() {
    const { url, objects, close } = await startService()
    return { variables: { ACME_URL: `${url}/acme/v1` }, objects, close }
  },
}
