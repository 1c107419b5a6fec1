// Lines of CSV (RFC 4180) that are safe to open in a spreadsheet: names of people and layers are chosen by others, and a cell
// that begins like a formula would be computed.
export function csvLine(values: readonly unknown[]): string {
  return `${values.map((value) => cell(textOf(value))).join(',')}\r\n`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value.join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
