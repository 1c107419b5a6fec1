// Rewrites the operators of a content stream in one plain form: known operators with the operands that they take, without
// comments or anything else between them, text shown with `Tj` and `TJ` only. What no operator takes is not drawn, and
// may say anything.
import { type Operator, operatorsOf } from '../../content/operators.js'

/** Operands of each operator: n for a number, N for any count of them, / for a name, s for a string, a for an array. */
const known: Readonly<Record<string, string>> = {
  ...Object.fromEntries('q Q h S s f F f* B B* b b* n W W* BT ET T* EMC'.split(' ').map((name) => [name, ''])),
  ...Object.fromEntries('w J j M i Tc Tw Tz TL Tr Ts G g'.split(' ').map((name) => [name, 'n'])),
  ...Object.fromEntries('m l Td TD'.split(' ').map((name) => [name, 'nn'])),
  ...Object.fromEntries('rg RG'.split(' ').map((name) => [name, 'nnn'])),
  ...Object.fromEntries('v y re k K'.split(' ').map((name) => [name, 'nnnn'])),
  ...Object.fromEntries('cm c Tm'.split(' ').map((name) => [name, 'nnnnnn'])),
  ...Object.fromEntries('ri gs CS cs sh Do MP BMC'.split(' ').map((name) => [name, '/'])),
  ...Object.fromEntries('SC sc'.split(' ').map((name) => [name, 'N'])),
  ...Object.fromEntries('SCN scn'.split(' ').map((name) => [name, 'N?'])),
  ...Object.fromEntries('BDC DP'.split(' ').map((name) => [name, '/p'])),
  d: 'an',
  Tf: '/n',
  Tj: 's',
  "'": 's',
  TJ: 'a',
  '"': 'nns',
}

const marks = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP'])

/** True for operators of marked content (14.6). */
export const isMark = ({ name }: Operator): boolean => marks.has(name)

const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
/** Most components of a colour (ISO 32000-2, annex C). */
const componentsMax = 32

/** Yields the operators. Readers take numbers that are missing as 0, and ignore those that are too many. */
export function* plainOperators(content: string): Generator<Operator> {
  for (const operator of operatorsOf(content)) {
    if (operator.name === 'EI') yield operator
    const plain = plainOf(operator)
    if (plain !== undefined) yield* withoutLines(plain)
  }
}

/** Divides the operators that also begin a line (table 107). */
function* withoutLines(operator: Operator): Generator<Operator> {
  const { name, operands } = operator
  if (name !== "'" && name !== '"') return yield operator
  const [string = '()', characters = '0', words = '0'] = operands.toReversed()
  if (name === '"') {
    yield operatorOf('Tw', [words])
    yield operatorOf('Tc', [characters])
  }
  yield operatorOf('T*', [])
  yield operatorOf('Tj', [string])
}

const operatorOf = (name: string, operands: readonly string[]): Operator => ({
  name,
  operands,
  text: [...operands, name].join(' '),
})

function plainOf({ name, operands }: Operator): Operator | undefined {
  const kinds = Object.hasOwn(known, name) ? known[name] : undefined
  if (kinds === undefined) return undefined
  const numbers = operands.filter(isNumber).map(plainNumber)
  const left: string[] = []
  for (const kind of kinds) {
    if (kind === 'n') left.push(numbers.shift() ?? '0')
    else if (kind === 'N') left.push(...numbers.splice(0, componentsMax))
    else {
      const found = operands.findLast(kindTests[kind] ?? (() => false))
      if (found === undefined && kind !== '?') return undefined
      if (found !== undefined) left.push(kind === 'a' ? plainArray(found) : found)
    }
  }
  // A name is a tag or the properties; both may be names.
  if (kinds === '/p') return operatorOf(name, operands.slice(-2))
  return operatorOf(name, left)
}

const isName = (operand: string): boolean => operand.startsWith('/')
const isNumber = (operand: string): boolean => /^[+-]?[\d.]/.test(operand)
const isString = (operand: string): boolean => /^(?:\(|<(?!<))/.test(operand)
const kindTests: Readonly<Record<string, (operand: string) => boolean>> = {
  '/': isName,
  '?': isName,
  s: isString,
  a: (operand) => operand.startsWith('['),
  p: (operand) => operand.startsWith('<<') || isName(operand),
}

const plainArray = (array: string): string =>
  `[${elementsOf(array)
    .filter((one) => isString(one) || isNumber(one))
    .map((one) => (isNumber(one) ? plainNumber(one) : one))
    .join(' ')}]`

/** Splits an array into its elements by parsing it as operands. */
export const elementsOf = (array: string): readonly string[] =>
  [...operatorsOf(`${array.slice(1, -1)} TJ`)][0]?.operands ?? []

/** Returns the number that readers find at the start of the operand. */
function plainNumber(operand: string): string {
  if (numeral.test(operand)) return operand
  const value = Number.parseFloat(/^[+-]?[\d]*\.?\d*/.exec(operand)?.[0] ?? '0')
  return Number.isFinite(value) ? String(value) : '0'
}
