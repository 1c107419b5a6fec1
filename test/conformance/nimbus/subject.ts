// What the conformance suite works on: everything that the plugin for Nimbus has, and changes of it.
import type { Version } from '../../../core/conformance/subject.js'
import type { Example } from '../seeded/example.js'
import nimbus from './provider.js'
import { Nimbus } from './service.js'

const { kinds } = await import('steward/kinds')

const wiki =
  '      - { name: wiki, type: static_bearer, mcp_server_url: https://wiki.example.com/mcp, access_token: "${WIKI}" }\n'

const text = `version: "1"
providers:
  nimbus: { client_secret: "\${SECRET}", address: "\${URL}" }
environments:
  shop:
    description: Where it runs
    config: { type: cloud, packages: { npm: [zod, ajv], pip: [ruff] } }
    metadata: { team: a, cost: b }
  lab:
    config: { type: cloud }
vaults:
  keys:
    display_name: Keys
    credentials:
      - { name: desk, type: static_bearer, mcp_server_url: https://desk.example.com/mcp, access_token: "\${DESK}", protocol: sse }
${wiki}      - { name: mail, type: static_bearer, mcp_server_url: https://mail.example.com/mcp, access_token: "\${WIKI}" }
webhooks:
  done:
    url: https://hooks.example.com/a
    topics: [started, ended]
    retries: 3
`

function edited(...replacements: readonly (readonly [from: string, to: string])[]): Version {
  let changed = text
  for (const [from, to] of replacements) {
    if (changed.split(from).length !== 2) throw new Error(`${from} is not once in the text`)
    changed = changed.replace(from, () => to)
  }
  return { text: changed }
}

export const nimbusExample: Example = {
  provider: nimbus,
  kinds,
  project: { text },
  edits: {
    'texts changed': edited(
      ['Where it runs', 'Where it all runs'],
      ['display_name: Keys', 'display_name: All keys'],
      ['/a\n', '/b\n'],
      ['[started, ended]', '[failed]'],
    ),
    'optional things were removed': edited(
      ['    description: Where it runs\n', ''],
      ['    metadata: { team: a, cost: b }\n', ''],
      [', packages: { npm: [zod, ajv], pip: [ruff] }', ''],
      ['    retries: 3\n', ''],
      [', protocol: sse', ''],
    ),
    'one label was removed': edited([', cost: b', '']),
    'a credential was removed and another moved': edited([wiki, ''], ['https://desk', 'https://help']),
    'the image is another': edited(['type: cloud, packages', 'type: self_hosted, packages']),
    'a room was renamed': edited(['  lab:', '  laboratory:']),
  },
  variables: { SECRET: 'nimbus-s3cret-0123', DESK: 'desk-t0ken-value', WIKI: 'wiki-t0ken-value' },
  sample: { size: 1, seed: 1 },
  async startService() {
    const nimbus = await Nimbus.start()
    return {
      variables: { URL: nimbus.url },
      objects: () => nimbus.listed(),
      overload: () => nimbus.overload(),
      expireTokens: () => nimbus.expireTokens(),
      close: () => nimbus.close(),
    }
  },
}
