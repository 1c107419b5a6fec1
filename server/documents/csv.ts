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

/**
 * Where a spreadsheet would begin to compute: at the beginning of a cell, or behind what separates cells in other countries, also
 * after characters that it passes over, and with the signs of full width.
 */
const formula = /(^|[;\t\r\n])([\s\p{C}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu

function cell(text: string): string {
  const harmless = text.replace(formula, "$1$2'")
  return /[",;\s]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
