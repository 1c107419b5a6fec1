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
skills:
  review:
    description: How we review
    source: ./review
  release:
    source: ./release
agents:
  reviewer:
    description: Reviews changes
    model: acme-large
    instructions: Review what you are given.
    environment: workshop
    vault: keys
    skills: [review]
    tools: { builtin: [read, grep] }
  writer:
    model: { acme: acme-small }
    instructions: Write what you are asked for.
    environment: workshop
webhooks:
  done:
    name: Done
    url: https://hooks.example.com/agents
    events: [session.ended, session.failed]
    enabled: false
`

const files = {
  'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
  'release/SKILL.md': '---\nname: release\ndescription: How we release\n---\nOn Tuesdays.\n',
}

/** @type {Version} */
const project = { text, files }

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
  return { text: changed, files }
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
      ['    description: How we review\n', ''],
      ['    skills: [review]\n', ''],
      ['    tools: { builtin: [read, grep] }\n', ''],
    ),
    'the content of a skill changed': {
      text,
      files: { ...files, 'review/SKILL.md': `${files['review/SKILL.md']}Then ask.\n`, 'review/questions.md': 'Why?\n' },
    },
    'one credential was removed and another moved': edited(
      [
        '      - { name: wiki, type: static_bearer, mcp_server_url: https://wiki.example.com/mcp, access_token: "${WIKI_TOKEN}" }\n',
        '',
      ],
      ['https://issues.example.com', 'https://tracker.example.com'],
    ),
    'the environment became another one': edited(['type: cloud', 'type: self_hosted']),
    'an agent was renamed': edited(['  writer:\n', '  author:\n']),
    'a webhook was called elsewhere, for other events': edited(
      ['https://hooks.example.com/agents', 'https://hooks.example.com/steward'],
      ['[session.ended, session.failed]', '[session.started]'],
      ['    enabled: false\n', ''],
    ),
  },
  variables: { ACME_API_KEY: 'acme-key-0123', ISSUES_TOKEN: 'issues-t0ken-value', WIKI_TOKEN: 'wiki-t0ken-value' },
  // Small pages: a list that stops at the first one is noticed.
  async startService() {
    const { url, ...service } = await startService({ pageMax: 2 })
    return { variables: { ACME_URL: `${url}/acme/v1` }, ...service }
  },
}
