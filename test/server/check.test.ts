// The check of a stopped store reports every kind of damage with its code, and changes nothing.
import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import type { Finding } from '../../server/check/findings.js'
import { findingTexts } from '../../server/check/findings.js'
import { markDocumentDeleting } from '../../server/deletion/mark-deleting.js'
import { placeOf } from '../../server/layers/content.js'
import { Sealing } from '../../server/rows/sealing.js'
import type { SecretsAtHand } from '../../server/settings/secrets.js'
import { agreeOnSecrets } from '../../server/settings/shared-secrets.js'
import { encodeKey } from '../../server/storage/keys.js'
import { LevelStore } from '../../server/storage/level-store.js'
import { rowKinds } from '../../server/storage/row-kinds.js'
import type { Commit } from '../../server/storage/store.js'
import { transact } from '../../server/storage/transaction.js'
import { scratchFolder } from '../cli/scratch.js'
import { announce, clock, type Made, makeDocument, makeShare, makeTenant, openScene, upload } from './support/scene.js'

async function scene(t: Test): Promise<{ readonly folder: string; readonly made: Made; readonly blob: string }> {
  const folder = scratchFolder(t)
  const storage = await openScene(folder)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'report', '%PDF content')
  await makeShare(storage, made, 'shr_1')
  await upload(storage, await announce(storage, tenant, 'pending'), 'on its way')
  await storage.close()
  return { folder, made, blob: join(folder, 'blobs', made.tenant, made.document, 'upload.pdf') }
}

async function check(
  folder: string,
): Promise<{ readonly codes: readonly string[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const summary = await checkStorage({ folder, digest: digestHere, report: (finding) => findings.push(finding) })
  t.equal(summary.findings + summary.warnings, findings.length)
  for (const { code } of findings) seen.add(code)
  return { codes: findings.map(({ code }) => code), findings }
}

const seen = new Set<string>()

async function damage(folder: string, commit: Partial<Commit>): Promise<void> {
  const store = await LevelStore.open({ folder: join(folder, 'store') })
  await store.commit({ expect: [], put: [], delete: [], ...commit })
  await store.close()
}

t.test('a healthy store has no findings, and all its rows and blobs are counted', async (t) => {
  const { folder } = await scene(t)
  const summary = await checkStorage({ folder, digest: digestHere, report: ({ code }) => t.fail(code) })
  t.match(summary, { blobs: 2, blobBytes: '%PDF content'.length + 'on its way'.length, findings: 0 })
  t.ok(summary.rows > 10)
})

t.test('a row of an unknown kind, and a key of the wrong shape, are reported', async (t) => {
  const { folder } = await scene(t)
  const value = Buffer.from('{}')
  const strange = [encodeKey(['strange', 1]), encodeKey(['tenant', 'a', 'b']), Uint8Array.of(7, 7)]
  await damage(folder, { put: strange.map((key) => ({ key, value })) })
  t.same((await check(folder)).codes, ['data.unknown-row', 'data.unknown-row', 'data.unknown-row'])
})

t.test('a row with a changed bit, under a wrong key, or that violates its schema is reported', async (t) => {
  const { folder, made } = await scene(t)
  const store = await LevelStore.open({ folder: join(folder, 'store') })
  const key = rowKinds.versions.key([made.tenant, made.document, 1])
  const value = Uint8Array.from((await store.get(key)) ?? [])
  value[20] = (value[20] ?? 0) ^ 1
  await store.close()
  await damage(folder, { put: [{ key, value }] })
  const { codes, findings } = await check(folder)
  t.ok(codes.includes('data.damaged-row'), String(codes))
  t.match(
    findings.find(({ code }) => code === 'data.damaged-row'),
    { where: `version ${made.tenant}/${made.document}/1`, detail: /checksum/ },
  )
})

t.test('a missing row that others refer to is reported', async (t) => {
  const { folder, made } = await scene(t)
  await damage(folder, { delete: [rowKinds.versions.key([made.tenant, made.document, 1])] })
  const { codes } = await check(folder)
  t.ok(codes.includes('data.missing-row'), 'page facts refer to it')
  t.ok(codes.includes('data.wrong-usage'), 'its bytes were counted')
  t.ok(codes.includes('data.unnamed-blob'), 'no row refers to its blob')
})

t.test('a missing or wrong index entry of a document is reported', async (t) => {
  const { folder, made } = await scene(t)
  await damage(folder, { delete: [rowKinds.documentIds.key(['report'])] })
  t.same((await check(folder)).codes, ['data.missing-index'])
  await damage(folder, { put: [rowKinds.documentIds.entry(['report'], { ...made, document: 'other' })] })
  t.same([...(await check(folder)).codes].sort(), ['data.missing-index', 'data.missing-row'])
})

t.test('an index entry that refers to a row with other values is reported', async (t) => {
  const { folder, made } = await scene(t)
  await damage(folder, { put: [rowKinds.documentIds.entry(['alias'], made)] })
  const { findings } = await check(folder)
  t.match(findings, [{ code: 'data.stale-index', where: 'document-id alias' }])
})

t.test('a blob that is missing, shorter, or has other content is reported', async (t) => {
  const gone = await scene(t)
  rmSync(gone.blob)
  const { codes, findings } = await check(gone.folder)
  t.same(codes, ['data.missing-blob'])
  t.match(findings, [{ tenantId: 'acme', documentId: 'report' }], 'with the public ids')
  const shorter = await scene(t)
  truncateSync(shorter.blob, 3)
  t.same((await check(shorter.folder)).codes, ['data.wrong-size'])
  const other = await scene(t)
  writeFileSync(other.blob, '%PDF c0ntent')
  t.same((await check(other.folder)).codes, ['data.wrong-content'])
})

t.test('a missing or truncated thumbnail is reported as a warning', async (t) => {
  const { folder, made, blob } = await scene(t)
  const store = await LevelStore.open({ folder: join(folder, 'store') })
  const key = rowKinds.documents.key([made.tenant, made.document])
  const value = (await store.get(key)) ?? new Uint8Array()
  const row = rowKinds.documents.decode({ key, value })
  await store.close()
  const parts = [made.tenant, made.document] as const
  await damage(folder, { put: [rowKinds.documents.entry(parts, { ...row, thumbnail: 'ready' })] })
  t.same((await check(folder)).codes, ['data.missing-thumbnail'])
  const picture = join(dirname(blob), 'thumbnail.webp')
  writeFileSync(picture, 'RIFF\x04\0\0\0WEBP')
  t.same((await check(folder)).codes, [])
  truncateSync(picture, 11)
  const summary = await checkStorage({ folder, digest: digestHere, report: () => {} })
  t.match(summary, { findings: 0, warnings: 1 })
})

t.test('a blob that no row refers to is reported', async (t) => {
  const { folder, blob } = await scene(t)
  appendFileSync(`${blob}.left`, 'left by a crash')
  const { findings } = await check(folder)
  t.match(findings, [{ code: 'data.unnamed-blob', detail: 'It has 15 bytes.' }])
})

t.test('missing data of a pending deletion is not damage', async (t) => {
  const { folder, made } = await scene(t)
  const storage = await openScene(folder)
  await markDocumentDeleting({ storage, clock }, made)
  await storage.blobs.removeAll(made)
  await storage.close()
  // An earlier version removed rows before the rows that refer to them.
  await damage(folder, { delete: [rowKinds.versions.key([made.tenant, made.document, 1])] })
  t.same((await check(folder)).codes, [])
  await damage(folder, { delete: [rowKinds.documents.key([made.tenant, made.document])] })
  t.same((await check(folder)).codes, [])
  await damage(folder, { delete: [rowKinds.sweeps.key([made.document])] })
  t.ok((await check(folder)).codes.includes('data.missing-row'), 'without a pending deletion it is damage')
})

t.test('a check changes nothing: a second one reports the same findings', async (t) => {
  const { folder, made, blob } = await scene(t)
  rmSync(blob)
  await damage(folder, { delete: [rowKinds.versions.key([made.tenant, made.document, 1])] })
  const first = await check(folder)
  t.ok(first.findings.length > 0)
  t.same(await check(folder), first)
})

t.test('a store that is in use is not checked, and a folder without one is not turned into one', async (t) => {
  const folder = scratchFolder(t)
  const nothing = () => checkStorage({ folder, digest: digestHere, report: () => {} })
  await t.rejects(nothing(), { name: 'DataFolderUnfit', message: /--data/ })
  t.same(readdirSync(folder), [])
  const storage = await openScene(folder)
  await t.rejects(nothing(), { name: 'FolderInUse' })
  await storage.close()
})

t.test('secrets that are not those of the data are named, and so are secrets that are not there', async (t) => {
  const { folder, made } = await scene(t)
  const [first, other] = [1, 2].map((byte) => ({
    signingSecret: Buffer.alloc(48, byte),
    sealingKey: Buffer.alloc(32, byte),
  }))
  if (!first || !other) throw new Error('unreachable')
  const replaced: string[] = []
  const agreed = {
    facts: undefined,
    dataFolder: folder,
    acceptNewSecrets: false,
    onReplaced: (name: string) => replaced.push(name),
  }
  await agreeOnSecrets(first, agreed)
  t.same(replaced, [])
  const storage = await openScene(folder)
  const { tenant, document } = made
  const sealed = new Sealing(first.sealingKey).seal(Buffer.from('secret'), placeOf({ document, layerName: 'legal' }))
  const body = { isSealed: true, at: { inline: Buffer.from(sealed).toString('base64') } }
  await transact(storage, async (transaction) => {
    const slot = storage.tables.overlays.at([tenant, document, 'legal', 7])
    transaction.put(slot, { generation: 0, isHidden: false, body })
  })
  await storage.close()
  const codes = async (secrets: SecretsAtHand) => {
    const found: string[] = []
    const report = ({ code, where }: Finding) => {
      if (where !== 'signing secret' && where !== 'sealing key') return
      found.push(`${code} ${where}`)
      seen.add(code)
    }
    await checkStorage({ folder, secrets, digest: digestHere, report })
    return found
  }
  const unread = 'data.sealed-otherwise sealing key'
  t.same(await codes(first), [])
  t.same(await codes({ ...first, signingSecret: other.signingSecret }), ['data.other-secret signing secret'])
  t.same(await codes({ ...first, sealingKey: other.sealingKey }), ['data.other-secret sealing key', unread])
  const missing = ['signing secret', 'sealing key'].map((name) => `data.secret-not-given ${name}`)
  t.same(await codes({}), missing)
  await agreeOnSecrets(other, agreed)
  t.same(replaced, ['signing secret', 'sealing key'], 'who replaces them is told')
  t.same(await codes(other), [unread])
})

t.test('every code of the table is covered by these tests', async (t) => {
  t.same([...seen].sort(), Object.keys(findingTexts).sort())
})
