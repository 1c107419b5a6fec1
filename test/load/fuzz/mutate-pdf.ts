// Mutations of PDFs that know their structure: tokens, the graph of objects, cross-references, streams, encryption. Offsets
// stay as they are unless the mutation is about them, so that many mutated files also need repair.
import type { Draw } from '../draw.js'
import { mutateBytes } from './mutate-bytes.js'

type Mutation = (text: string, draw: Draw) => string

const numbers = [
  '0',
  '-1',
  '1',
  '.5',
  '65536',
  '2147483647',
  '-2147483648',
  '4294967296',
  '99999999999999999999',
  '1e9',
]
const values = ['null', 'true', '()', '<>', '[]', '<<>>', '/X', '(\\000\\377)', '<FEFFD800>', `(${'x'.repeat(3000)})`]
const filters = ['/FlateDecode', '/LZWDecode', '/ASCII85Decode', '/ASCIIHexDecode', '/RunLengthDecode', '/DCTDecode']
const moreFilters = ['/JPXDecode', '/JBIG2Decode', '/CCITTFaxDecode', '/Crypt', '[/FlateDecode/FlateDecode]', '/None']

/** Replaces one match of a pattern; the text itself if there is none. */
function replaceOne(text: string, pattern: RegExp, draw: Draw, replace: (match: RegExpMatchArray) => string): string {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return text
  const match = draw.one(matches)
  const index = match.index ?? 0
  return text.slice(0, index) + replace(match) + text.slice(index + match[0].length)
}

const anyOf = (text: string, pattern: RegExp, draw: Draw): string => {
  const matches = [...text.matchAll(pattern)].map(([match]) => match)
  return matches.length === 0 ? 'null' : draw.one(matches)
}

const name = /\/[A-Za-z][A-Za-z0-9]*/g
const number = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g
const reference = /\b\d+ \d+ R\b/g
const object = /\b\d+ 0 obj[\s\S]*?endobj/g
const dictionary = /<<[^<>]*>>/g

const tokens: readonly Mutation[] = [
  (text, draw) => replaceOne(text, number, draw, () => draw.one(numbers)),
  (text, draw) => replaceOne(text, name, draw, () => anyOf(text, name, draw)),
  (text, draw) => replaceOne(text, name, draw, ([match]) => `${match} ${draw.one(values)}`),
  (text, draw) => replaceOne(text, /\([^()]*\)|<[0-9A-Fa-f]+>/g, draw, () => draw.one(values)),
  (text, draw) => replaceOne(text, /<<|>>|\[|\]|\bobj\b|\bendobj\b|\bstream\b|\bendstream\b/g, draw, () => ''),
  (text, draw) => replaceOne(text, name, draw, ([match]) => `${match}${'['.repeat(draw.between(1, 3000))}`),
]

const graph: readonly Mutation[] = [
  (text, draw) => replaceOne(text, reference, draw, () => anyOf(text, reference, draw)),
  (text, draw) => replaceOne(text, reference, draw, () => draw.one(['0 0 R', '999999 0 R', '3 5 R', '-1 0 R', 'null'])),
  (text, draw) => replaceOne(text, reference, draw, () => draw.one(values)),
  (text, draw) => replaceOne(text, number, draw, () => anyOf(text, reference, draw)),
  (text, draw) => replaceOne(text, dictionary, draw, () => anyOf(text, dictionary, draw)),
  // The entry of an object refers to the object itself.
  (text, draw) =>
    replaceOne(text, object, draw, ([match]) => match.replace(reference, () => `${Number.parseInt(match, 10)} 0 R`)),
  (text, draw) => replaceOne(text, object, draw, ([match]) => `${match}\n${anyOf(text, object, draw)}`),
  (text, draw) => replaceOne(text, object, draw, ([match]) => match.replace(/^\d+/, String(draw.between(1, 12)))),
  (text, draw) =>
    replaceOne(text, /\/Kids ?\[[^\]]*\]/g, draw, ([match]) => match.replace(']', ` ${anyOf(text, reference, draw)}]`)),
]

const xref: readonly Mutation[] = [
  (text, draw) => replaceOne(text, /\d{10} \d{5} [nf]/g, draw, ([match]) => entry(match, draw)),
  (text, draw) => replaceOne(text, /startxref\s+\d+/g, draw, () => `startxref\n${draw.below(text.length + 10)}`),
  (text, draw) => replaceOne(text, /\/Size \d+/g, draw, () => `/Size ${draw.one(numbers)}`),
  (text, draw) => replaceOne(text, /\/Root/g, draw, () => `/Prev ${draw.below(text.length)}/Root`),
  (text, draw) => replaceOne(text, /\/Root/g, draw, () => `/XRefStm ${draw.below(text.length)}/Root`),
  (text, draw) => replaceOne(text, /\/W ?\[[^\]]*\]/g, draw, () => `/W[${draw.one(numbers)} ${draw.below(9)} 2]`),
  (text, draw) =>
    replaceOne(text, /\/Index ?\[[^\]]*\]/g, draw, () => `/Index[${draw.one(numbers)} ${draw.one(numbers)}]`),
  (text, draw) => replaceOne(text, /xref\n\d+ \d+/g, draw, () => `xref\n${draw.below(9)} ${draw.one(numbers)}`),
]

function entry(match: string, draw: Draw): string {
  if (draw.happens(0.3)) return match.endsWith('n') ? match.replace('n', 'f') : match.replace('f', 'n')
  if (draw.happens(0.3)) return match.replace(/ \d{5}/, ' 00007')
  return String(draw.below(20_000)).padStart(10, '0') + match.slice(10)
}

const streams: readonly Mutation[] = [
  (text, draw) =>
    replaceOne(text, /\/Length \d+/g, draw, () => `/Length ${draw.one([...numbers, anyOf(text, reference, draw)])}`),
  (text, draw) => replaceOne(text, /\/Length/g, draw, () => `/Filter${draw.one([...filters, ...moreFilters])}/Length`),
  (text, draw) =>
    replaceOne(
      text,
      /\/Length/g,
      draw,
      () => `/DecodeParms<</Predictor ${draw.one(numbers)}/Columns ${draw.one(numbers)}>>/Length`,
    ),
  (text, draw) =>
    replaceOne(
      text,
      /stream\r?\n[\s\S]*?endstream/g,
      draw,
      ([match]) =>
        `stream\n${mutateBytes(Buffer.from(match.slice(7, -9), 'latin1'), draw).toString('latin1')}endstream`,
    ),
  (text, draw) =>
    replaceOne(text, /\bstream\r?\n/g, draw, ([match]) => `${match}${'q '.repeat(draw.between(1, 5000))}`),
  (text, draw) =>
    replaceOne(
      text,
      /\/(Width|Height|BitsPerComponent|MediaBox|Rotate|UserUnit|Count|BBox|Matrix)\b/g,
      draw,
      ([match]) => `${match} ${draw.one([...numbers, ...values])} /Y `,
    ),
]

const encryption: readonly Mutation[] = [
  (text, draw) => replaceOne(text, /\/(V|R|P|Length) -?\d+/g, draw, (match) => `/${match[1]} ${draw.one(numbers)}`),
  (text, draw) =>
    replaceOne(
      text,
      /\/(O|U|OE|UE|Perms) ?(\([\s\S]*?\)|<[0-9A-Fa-f]*>)/g,
      draw,
      (match) => `/${match[1]} ${draw.one(values)}`,
    ),
  (text, draw) =>
    replaceOne(
      text,
      /\/(CFM|StmF|StrF|Filter) ?\/\w+/g,
      draw,
      (match) => `/${match[1]}${draw.one(['/None', '/Identity', '/V2', '/AESV2', '/AESV3', '/StdCF'])}`,
    ),
  (text, draw) =>
    replaceOne(text, /\/Encrypt/g, draw, () => draw.one(['/Encript', '/Encrypt null/X', '/Encrypt 3 0 R/X'])),
  (text, draw) => replaceOne(text, /\/ID ?\[/g, draw, () => draw.one(['/ID[(', '/ID[<>', '/IX['])),
]

const families = { tokens, graph, xref, streams, encryption } as const

export interface MutatedPdf {
  readonly bytes: Buffer
  /** What kinds of mutations were made. */
  readonly title: string
}

export function mutatePdf(bytes: Buffer, draw: Draw): MutatedPdf {
  let text = bytes.toString('latin1')
  const made: string[] = []
  const names = Object.keys(families) as (keyof typeof families)[]
  for (let left = draw.between(1, 5); left > 0; left--) {
    const family = draw.happens(0.1) ? 'bytes' : draw.one(names)
    made.push(family)
    if (family === 'bytes') text = mutateBytes(Buffer.from(text, 'latin1'), draw).toString('latin1')
    else text = draw.one<Mutation>(families[family])(text, draw)
  }
  return { bytes: Buffer.from(text, 'latin1'), title: made.join(', ') }
}
