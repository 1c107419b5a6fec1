// Colours of text, used only on a terminal and never if NO_COLOR is set.
import { isTerminal } from '../terminal/context.js'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Colour = keyof typeof codes
export type Style = Readonly<Record<Colour, (text: string) => string>>

export function styleFor(stream: object, env: Readonly<Record<string, string | undefined>>): Style {
  const isColoured = isTerminal(stream) && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint = (code: number) => (text: string) =>
    isColoured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    green: paint(codes.green),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
  }
}
