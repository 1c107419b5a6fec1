// Page that explains each error code: for browsers at `/errors`, and as Markdown in the manual.
import { type RefusalRow, refusalCodes } from '../refusals/refusal-codes.js'

const rows = Object.entries<RefusalRow>(refusalCodes)

const reaches = { documents: 'Documents', tenants: 'Others', both: 'All' } as const

const columns = ['Code', 'Status', 'Of', 'Meaning', 'What to do'] as const

const cellsOf = (code: string, { status, reach, meaning, remedy, onDocuments }: RefusalRow): readonly string[] => [
  `\`${code}\``,
  `${status}`,
  reaches[reach],
  onDocuments === undefined ? meaning : `${meaning} On documents it is \`${onDocuments}\` with this status.`,
  remedy,
]

const introduction =
  'An error has a `code` for programs and a `message` for people. Operations on documents (`/v1/docs/…`) answer ' +
  '`{ "name": "EngineError", "code", "message", "details"? }`, with the same once more under `error`; all others answer ' +
  '`{ "error": { "code", "message", … } }`. Codes keep their names; the wording of messages may change.'

export function errorsMarkdown(): string {
  const table = [columns, columns.map(() => '---'), ...rows.map(([code, row]) => cellsOf(code, row))]
  const lines = table.map((cells) => `| ${cells.join(' | ')} |`)
  return `# Errors\n\n<!-- Made by npm run docs from server/refusals/refusal-codes.ts. -->\n\n${introduction}\n\n${lines.join('\n')}\n`
}

export function errorsHtml(): string {
  const cell = (text: string) => `<td>${html(text)}</td>`
  const body = rows.map(([code, row]) => `<tr id="${code}">${cellsOf(code, row).map(cell).join('')}</tr>`)
  const head = columns.map((name) => `<th>${name}</th>`).join('')
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Errors - Steward document server</title></head><body><h1>Errors</h1><p>${html(introduction)}</p><table border="1" cellpadding="4"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></body></html>`
}

const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
