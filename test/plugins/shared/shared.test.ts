// The helpers that several providers share.
import { unzipSync } from 'fflate'
import t from 'tap'
import type { RuleSubject } from '../../../core/plugin/rule.js'
import type { Scope } from '../../../core/plugin/scope.js'
import { normalToolName, toolPermissions, unknownTools } from '../../../plugins/kinds/tool-permissions.js'
import { mediaType } from '../../../plugins/shared/media-type.js'
import { metadataRules } from '../../../plugins/shared/metadata-limits.js'
import { mountPath, mountPathProblem, mountPathRules } from '../../../plugins/shared/mount-path.js'
import { namedFile, sessionContents } from '../../../plugins/shared/session-parts.js'
import { skillFiles, skillName, zipSkill } from '../../../plugins/shared/skill-package.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const folder = (manifest: string | undefined) => ({
  baseName: 'review',
  files: [
    ...(manifest === undefined ? [] : [{ path: 'SKILL.md', bytes: bytes(manifest) }]),
    { path: 'scripts/run.py', bytes: bytes('print(1)') },
  ],
})

t.test('the name of a skill comes from the front matter of SKILL.md', async (t) => {
  t.equal(skillName(folder('---\nname: code-review\ndescription: "a: b"\n---\n# Text')), 'code-review')
  t.equal(skillName(folder('\uFEFF---\r\nname: code-review\r\n---\r\n')), 'code-review')
})

t.test('a skill without a usable name is refused, saying what is wrong', async (t) => {
  const refused = (manifest: string | undefined, detail: RegExp) => {
    try {
      skillName(folder(manifest))
      t.fail('accepted')
    } catch (error) {
      t.match(error, { diagnostics: [{ code: 'skill.no-name', detail }] })
    }
  }
  refused(undefined, /has no SKILL\.md/)
  refused('# no front matter', /does not begin with front matter/)
  refused('---\ndescription: x\n---\n', /has no name/)
  refused('---\nname: a/b\n---\n', /has no name/)
  refused('---\nname: ..\n---\n', /has no name/)
  refused('---\nname: [1\n---\n', /is not YAML/)
})

t.test('a skill is packed below one folder with its own name, or without one', async (t) => {
  const content = folder('---\nname: code-review\n---\n')
  const wrapped = ['code-review/SKILL.md', 'code-review/scripts/run.py']
  t.same(
    skillFiles(content).map(({ path }) => path),
    wrapped,
  )
  t.same(Object.keys(unzipSync(zipSkill(content, { wrapped: true }))), wrapped)
  const flat = unzipSync(zipSkill(content))
  t.same(Object.keys(flat), ['SKILL.md', 'scripts/run.py'])
  t.equal(Buffer.from(flat['scripts/run.py'] ?? []).toString(), 'print(1)')
  t.same(zipSkill(content), zipSkill(folder('---\nname: code-review\n---\n')), 'equal folders make equal archives')
})

t.test('2.11 tool names are compared without case and separators, and permissions default to allow', async (t) => {
  t.equal(normalToolName('Web-Fetch'), normalToolName('web_fetch'))
  const tools = { builtin: ['WebFetch', 'bash', 'other'], permissions: { 'web fetch': 'ask' } } as const
  const body = { builtin: [...tools.builtin], permissions: { ...tools.permissions } }
  t.same(
    [...toolPermissions(body, ['web_fetch', 'bash'])],
    [
      ['web_fetch', 'ask'],
      ['bash', 'allow'],
      ['other', 'allow'],
    ],
  )
  t.same(
    [...toolPermissions({ ...body, default_permission: 'ask' })],
    [
      ['WebFetch', 'ask'],
      ['bash', 'ask'],
      ['other', 'ask'],
    ],
  )
  t.same(unknownTools(body, ['web_fetch', 'bash']), [{ index: 2, name: 'other' }])
  t.same(unknownTools(undefined, []), [])
})

t.test('2.14 a relative mount path resolves under the root, an absolute one is passed unchanged', async (t) => {
  t.equal(mountPath('/workspace', 'data/a.csv'), '/workspace/data/a.csv')
  t.equal(mountPath('/workspace', './a.csv'), '/workspace/a.csv')
  t.equal(mountPath('/workspace', '/workspace/a.csv'), '/workspace/a.csv')
})

t.test('7.9 an absolute mount path outside the root is refused', async (t) => {
  for (const written of [
    '/mnt/a',
    '/workspaces/a',
    '/',
    '/workspace',
    '/workspace/',
    '/workspace/../etc',
    '../a',
    'a/../../b',
    '.',
  ])
    t.type(mountPathProblem('/workspace', written), 'string', written)
  for (const written of ['/workspace/a', 'a', './a', 'a..b'])
    t.equal(mountPathProblem('/workspace', written), undefined, written)
})

t.test('7.9 the rules find mount paths of files and repositories, in agents and deployments', async (t) => {
  const found = (kind: string, body: unknown, isRepositoryPathAbsolute = false) =>
    mountPathRules({ provider: 'toy', root: '/data', isRepositoryPathAbsolute })
      .filter((rule) => rule.kind === kind)
      .flatMap((rule) => [...rule.check({ declaration: { body } } as unknown as RuleSubject)])
      .map(({ at }) => at.join('.'))
  const resources = [
    { type: 'git_repository', url: 'https://example.com/a', mount_path: '/mnt/a' },
    { type: 'git_repository', url: 'https://example.com/b', mount_path: 'b' },
    { type: 'memory_store', memory_store: 'notes' },
  ]
  const files = ['plain', { file: 'a', mount_path: '/mnt/a' }, { file: 'b', mount_path: 'b' }]
  t.same(found('agent', { files, resources }), ['files.1.mount_path', 'resources.0.mount_path'])
  t.same(found('agent', { resources }, true), ['resources.0.mount_path', 'resources.1.mount_path'])
  t.same(found('deployment', { resources: [{ type: 'file', file_id: 'f', mount_path: '/x' }] }), [
    'resources.0.mount_path',
  ])
  t.same(found('agent', {}), [])
})

t.test('the media type follows the extension', async (t) => {
  t.equal(mediaType('Report.PDF'), 'application/pdf')
  t.equal(mediaType('archive.tar.zst'), 'application/octet-stream')
  t.equal(mediaType('Makefile'), 'application/octet-stream')
})

t.test('metadata has room for the two marks, and limits of its own', async (t) => {
  const limits = { entriesMax: 4, keyCharactersMax: 5, valueCharactersMax: 6 }
  const rules = metadataRules({ provider: 'toy', title: 'Toy', kinds: ['agent'], ...limits })
  const found = (metadata?: Record<string, string>) =>
    rules
      .flatMap((rule) => [...rule.check({ declaration: { body: { metadata } } } as unknown as RuleSubject)])
      .map(({ at }) => at.join('.'))
  t.same(found(), [])
  t.same(found({ a: '1', b: '2' }), [])
  t.same(found({ a: '1', b: '2', c: '3' }), ['metadata'])
  t.same(found({ abcde: '123456' }), [])
  t.same(found({ abcdef: '1', b: '1234567' }), ['metadata.abcdef', 'metadata.b'])
})

t.test(
  '2.14 of a session, what is added wins over the agent’s own in one place, and two added files are refused',
  async (t) => {
    const sources: Readonly<Record<string, string>> = { a: './a/notes.md', b: './b/notes.md' }
    const scope = {
      provider: 'ark',
      api: '',
      project: { find: (_kind: string, name: string) => ({ body: { source: sources[name] } }) },
      output: (kind: string, name: string) => `${kind} ${name}`,
    } as unknown as Scope // A session asks for nothing else.
    const body = { model: 'm', instructions: 'x', files: [{ file: 'own', mount_path: '/mnt/./notes.md' }] }
    const contents = (...files: string[]) =>
      sessionContents(
        { name: 'helper', body },
        { vaults: [], memoryStores: [], mountRoot: '/mnt', resources: files.map((file) => namedFile(file, scope)) },
        scope,
      ).resources
    t.match(contents(), [{ id: 'file own' }])
    t.same(
      contents('a').map((resource) => resource.type === 'file' && resource.id),
      ['file a'],
    )
    t.equal(contents('a', 'a').length, 1)
    t.throws(() => contents('a', 'b'), { message: /mounted at \/mnt\/notes\.md/ })
  },
)
