// Edits of agents.yaml: everything else is unchanged, byte for byte.
import t from 'tap'
import { parse } from 'yaml'
import { YamlEdit } from '../../../core/sync/yaml-edit.js'

const file = `# The team's agents.   Mind the blanks.
version: '1'   # quoted

providers:
    qoder: { api_key: "\${QODER_PAT}" }


agents:
    # Reviews.
    reviewer:
        description:   Reviews changes    # short
        model: "auto"
        instructions: >
            Folded text
            stays folded.
        tools: { builtin: [ read,grep ] }   # both

    #  writer: not yet

    helper:
        model: auto # any
        instructions: |
            Be kind.

# The end.
`

t.test('a new declaration goes to the end of its section, and every other byte stays', async (t) => {
  const edit = new YamlEdit(file)
  edit.add('agents', 'guide', { model: 'auto', instructions: 'One.\nTwo.\n' })
  const text = edit.text()
  const added = '\n    guide:\n        model: auto\n        instructions: |\n            One.\n            Two.'
  t.equal(text, file.replace('            Be kind.', `            Be kind.${added}`))
  t.strictSame(parse(text).agents.guide, { model: 'auto', instructions: 'One.\nTwo.\n' })
  t.equal(parse(text).agents.helper.instructions, 'Be kind.\n')
})

t.test('a missing section is added at the end; an empty one is filled', async (t) => {
  const edit = new YamlEdit(file)
  edit.add('vaults', 'keys', { display_name: 'Keys' })
  t.equal(edit.text(), `${file}\nvaults:\n    keys:\n        display_name: Keys\n`)
  for (const empty of ['agents: {}   # none yet', 'agents:   # none yet', 'agents: # none yet']) {
    const edit = new YamlEdit(`version: "1"\n${empty}\nx-more: 1\n`)
    edit.add('agents', 'helper', { model: 'auto' })
    t.match(edit.text(), /^version: "1"\nagents:.*# none yet\n {2}helper:\n {4}model: auto\nx-more: 1\n$/, empty)
    t.strictSame(parse(edit.text()).agents, { helper: { model: 'auto' } }, empty)
  }
  const bare = new YamlEdit('version: "1"')
  bare.add('agents', 'helper', { model: 'auto' })
  t.equal(bare.text(), 'version: "1"\n\nagents:\n  helper:\n    model: auto\n')
})

t.test('a field is replaced in place, and keeps the comment after it', async (t) => {
  const edit = new YamlEdit(file)
  edit.set('agents', 'reviewer', ['description'], 'Reviews it all')
  t.equal(edit.text(), file.replace('description:   Reviews changes', 'description: Reviews it all'))
})

t.test('a comment behind a value never becomes a part of a longer one', async (t) => {
  const edit = new YamlEdit(file)
  edit.set('agents', 'helper', ['model'], { qoder: 'auto', ark: 'm' })
  const text = edit.text()
  t.match(text, '        # any\n        model:\n            qoder: auto\n            ark: m\n        instructions')
  t.strictSame(parse(text).agents.helper.model, { qoder: 'auto', ark: 'm' })
  const note = new YamlEdit(file)
  note.set('agents', 'reviewer', ['description'], 'One\nTwo')
  t.equal(parse(note.text()).agents.reviewer.description, 'One\nTwo')
})

t.test('texts of several lines, new fields and removed ones', async (t) => {
  const edit = new YamlEdit(file)
  edit.set('agents', 'reviewer', ['instructions'], 'Other text.\nTwo lines.\n')
  edit.set('agents', 'reviewer', ['environment'], 'base')
  edit.set('agents', 'helper', ['description'], 'Helps')
  edit.set('agents', 'reviewer', ['model'], undefined)
  edit.add('agents', 'guide', { model: 'auto' })
  const text = edit.text()
  t.strictSame(parse(text).agents, {
    reviewer: {
      description: 'Reviews changes',
      instructions: 'Other text.\nTwo lines.\n',
      tools: { builtin: ['read', 'grep'] },
      environment: 'base',
    },
    helper: { model: 'auto', instructions: 'Be kind.\n', description: 'Helps' },
    guide: { model: 'auto' },
  })
  for (const retained of [
    'tools: { builtin: [ read,grep ] }   # both',
    '    #  writer: not yet',
    '# The end.',
    "'1'   # quoted",
  ])
    t.match(text, retained)
})

t.test('bodies and sections in braces stay in braces', async (t) => {
  const flow = 'version: "1" # one\nagents: { a: { model: x, instructions: "y" } } # all\nx-end: 1\n'
  const edit = new YamlEdit(flow)
  edit.set('agents', 'a', ['model'], 'z')
  edit.set('agents', 'a', ['description'], '${NAME}')
  edit.add('agents', 'b', { model: 'w' })
  const text = edit.text()
  t.strictSame(parse(text).agents, {
    a: { model: 'z', instructions: 'y', description: '${NAME}' },
    b: { model: 'w' },
  })
  t.match(text, /^version: "1" # one\nagents: \{.*\} # all\nx-end: 1\n$/)
})

t.test('nested values are edited in place, and lines removed and added at one place do not interfere', async (t) => {
  const nested = `agents:
  a:
    config:   # here
      network: { type: limited, hosts: [a, b] } # both
      # Ours.
      team: x # us
      cost: 3
    model: x
other: &shared
  k: v
more:
  b:
    metadata: *shared
`
  const edit = new YamlEdit(nested)
  edit.set('agents', 'a', ['config', 'network', 'hosts'], ['c d', 'true'])
  edit.set('agents', 'a', ['config', 'team'], 'y')
  edit.set('agents', 'a', ['config', 'cost'], undefined)
  edit.set('agents', 'a', ['config', 'owner'], 'me')
  edit.set('agents', 'a', ['tools', 'builtin'], ['read'])
  edit.set('more', 'b', ['metadata', 'k'], 'w')
  t.equal(
    edit.text(),
    nested
      .replace('hosts: [a, b]', 'hosts: [c d, "true"]')
      .replace('team: x', 'team: y')
      .replace('cost: 3', 'owner: me')
      .replace('model: x', 'model: x\n    tools:\n      builtin:\n        - read')
      .replace('metadata: *shared', 'metadata:\n      k: w'),
  )
})

t.test('defaults are added behind the providers, or to what is there', async (t) => {
  const after = (text: string) => {
    const edit = new YamlEdit(text)
    edit.addDefault('provider', 'all', 'providers')
    return edit.text()
  }
  const head = 'version: "1"\nproviders:\n  claude: {}\n'
  t.equal(after(`${head}# End.\n`), `${head}\ndefaults:\n  provider: all\n# End.\n`)
  t.equal(after(`${head}defaults:\n  identity: me\n`), `${head}defaults:\n  identity: me\n  provider: all\n`)
  t.equal(after(`${head}defaults: { identity: me }\n`), `${head}defaults: { identity: me, provider: all }\n`)
  t.equal(after(`${head}defaults: {}\n`), `${head}defaults:\n  provider: all\n`)
})

t.test('line breaks of another system are preserved', async (t) => {
  const edit = new YamlEdit('version: "1"\r\nagents:\r\n  a:\r\n    model: x\r\n')
  edit.add('agents', 'b', { model: 'y' })
  t.equal(edit.text(), 'version: "1"\r\nagents:\r\n  a:\r\n    model: x\r\n  b:\r\n    model: y\r\n')
})

t.test('a text that was not edited is the same text', async (t) => {
  t.equal(new YamlEdit(file).text(), file)
  t.strictSame(new YamlEdit(file).bodyOf('agents', 'reviewer'), {
    description: 'Reviews changes',
    model: 'auto',
    instructions: 'Folded text stays folded.\n',
    tools: { builtin: ['read', 'grep'] },
  })
  t.equal(new YamlEdit(file).bodyOf('agents', 'nobody'), undefined)
})
