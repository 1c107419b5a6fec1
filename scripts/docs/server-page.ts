// The tables of docs/document-server.md, made from the settings and limits of the server and put into the page, whose
// words are written by hand.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits as serverLimits } from '../../server/limits.js'
import { environmentNameOf, flagOf, Settings } from '../../server/settings/config.js'
import { limits as workerLimits } from '../../workers/limits.js'
import { scopesTable } from './scopes-table.js'

interface Annotated {
  readonly description?: string
  readonly default?: unknown
}

const bounds = { ...serverLimits, ...workerLimits }

/** Limits that clients and operators meet; the others are explained where they apply. */
const toldLimits: Partial<Record<keyof typeof bounds, string>> = {
  jsonBodyBytesMax: 'JSON body of a request that changes a document or reads its content',
  plainBodyBytesMax: 'JSON body of another request',
  jsonValuesMax: 'Values and containers in a JSON body',
  receivedBodyBytesMax:
    'All bodies in memory at once; those of one tenant take half of them, those of one token half of that',
  documentMetadataBytesMax: 'Metadata of a document, as JSON',
  pageSizeMax: 'Entries on one page of a list',
  uploadTtlDefaultMs: 'Time from init to commit of an upload, where the client names none',
  changesMax: 'Changes of one request',
  opsMax: 'Ops of one change',
  pagesMax: 'Pages of one document',
  insertedPagesMax: 'Pages of a PDF that is inserted',
  insertedBytesMax: 'Size of a PDF that is inserted',
  numberMax: 'Any number of an op',
  numbersOfLayerMax: 'Object numbers that the changes of one layer take',
  numbersOfCallerMax: 'Object numbers that the changes of one caller take in a layer, or of all sessions of a share',
  promotedAnnotationsMax: 'Annotations of the uploaded file, stored inline, that one layer changes',
  textCharactersMax: 'Characters of one page of text',
  itemsMax: 'Annotations or fields in one answer',
  answerBytesMax: 'Size of one answer in JSON',
  sideMax: 'Pixels of the longer side of a picture',
  queuedTasksMax: 'Requests of one tenant that wait, for each worker; then 503 with Retry-After',
  engineBytesMax: 'Memory of the PDF engine in one worker',
  answerCacheBytesMax: 'Cached pictures, texts and lists',
  importsAtOnceMax: 'Imports that go on at once, of one tenant half of them; then 503 with Retry-After',
  importBytesPerSecondMin: 'Bytes a second that the source of an import must send, after 30 s',
  importDeadlineMs: 'Time an import may take',
  backgroundImportsAtOnceMax: 'Imports in the background at once, for each process; of one tenant half of them',
  backgroundImportDeadlineMs: 'Time one attempt of an import in the background may take',
  importAttemptsMax: 'Attempts of an import in the background',
  importRedirectsMax: 'Redirects an import follows',
  eventStreamsMax: 'Event streams at once, of one tenant half of them',
  eventStreamsPerTokenMax: 'Event streams of one token at once',
  eventStreamLifetimeMs: 'Time after which an event stream ends, and its reader comes back with Last-Event-ID',
  eventReplayRowsMax: 'Changes a resumed event stream is sent; behind more it gets full-refresh',
  anonymousRequestsPerMinute: 'Requests without a credential, per address, in a minute; /healthz is not counted',
  shareExchangesPerMinute: 'Sessions of a share, per share and address, in a minute',
  shareAttemptsPerMinute: 'Guesses of a share passphrase, per share and address, in a minute',
  blobReserveBytes: 'Disk that is left free; below it uploads answer 503',
  shutdownGraceMs: 'Time for requests under way when the server stops',
}

const tables: Readonly<Record<string, () => string>> = {
  scopes: scopesTable,
  settings: settingsTable,
  limits: limitsTable,
}

export async function serverPage(root: string): Promise<string> {
  const page = readFileSync(join(root, 'docs/document-server.md'), 'utf8')
  return Object.entries(tables).reduce((text, [name, make]) => replaced(text, name, make()), page)
}

function replaced(page: string, name: string, table: string): string {
  const [from, to] = [`<!-- ${name}: made by npm run docs -->`, `<!-- /${name} -->`]
  const [start, end] = [page.indexOf(from), page.indexOf(to)]
  if (start < 0 || end < start) throw new Error(`docs/document-server.md has no place for its ${name}`)
  return `${page.slice(0, start)}${from}\n${table}\n${page.slice(end)}`
}

function settingsTable(): string {
  const rows = Object.entries<object>(Settings.properties).map(([name, schema]) => {
    const { description = '', default: otherwise }: Annotated = schema
    const given = otherwise === undefined || isEmptyList(otherwise) ? '' : `\`${otherwise}\``
    return `| \`--${flagOf(name)}\` | \`${environmentNameOf(name)}\` | \`${name}\` | ${given} | ${description} |`
  })
  return ['| Flag | Environment | File | Default | |', '|---|---|---|---|---|', ...rows].join('\n')
}

function limitsTable(): string {
  const rows = Object.entries(toldLimits).map(([name, meaning]) => `| ${meaning} | ${boundOf(name)} |`)
  return ['| What | Limit |', '|---|---|', ...rows].join('\n')
}

function boundOf(name: string): string {
  const value = Object.entries(bounds).find(([one]) => one === name)?.[1] ?? Number.NaN
  if (/Ms$/.test(name)) return value < 60_000 ? `${value / 1000} s` : `${value / 60_000} min`
  if (/Bytes(Max)?$/.test(name)) return value < 2 ** 20 ? `${value / 1024} kB` : `${value / 2 ** 20} MB`
  return value.toLocaleString('en')
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
