// Parses numbers as typed into forms, and formats them as forms show them.

/** Thousands and decimal separators, by their number in scripts. */
const styles: Readonly<Record<number, { readonly thousands: string; readonly decimal: string }>> = {
  0: { thousands: ',', decimal: '.' },
  1: { thousands: '', decimal: '.' },
  2: { thousands: '.', decimal: ',' },
  3: { thousands: '', decimal: ',' },
  4: { thousands: '’', decimal: '.' },
}

const plain = { thousands: '', decimal: '.' }
const decimalsMax = 20
const digitsShown = 15

/** Parses `1234.5`, or the style of the field: `1.234,5`. Returns undefined for blank text and other text. */
export function numberFrom(text: string, separators = 1): number | undefined {
  const trimmed = text.trim()
  const { thousands, decimal } = styles[separators] ?? plain
  for (const candidate of [trimmed, inStyle(trimmed, thousands, decimal), trimmed.replace(',', '.')]) {
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(candidate)) return Number(candidate)
  }
  return undefined
}

const inStyle = (text: string, thousands: string, decimal: string): string =>
  (thousands === '' ? text : text.replaceAll(thousands, '')).replace(decimal, '.')

/** Writes a number without its sign. */
export function numberText(value: number, decimals: number, separators: number): string {
  const { thousands, decimal } = styles[separators] ?? plain
  const digits = Math.min(Math.max(0, Math.trunc(decimals)), decimalsMax)
  const [whole = '0', rest] = Math.abs(value).toFixed(digits).split('.')
  // Numbers from 1e21 on have an exponent, and are not grouped.
  const grouped = /^\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole
  return rest === undefined ? grouped : `${grouped}${decimal}${rest}`
}

/** Writes a value without rounding noise of binary fractions. */
export const tidyNumber = (value: number): string => String(Number(value.toPrecision(digitsShown)))
