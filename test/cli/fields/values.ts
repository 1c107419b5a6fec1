// Values of variables in the usual forms of secrets; each contains the number of its variable.

export interface ValueForm {
  value(id: number): string
  /** Values after a rotation. */
  rotated(id: number): string
  /** Numbers of the variables whose values, or parts of them, the text shows. */
  shownIn(text: string): readonly number[]
}

const tag = (id: number) => `zq${String(id).padStart(4, '0')}k`

/** Letters and digits only, so that escaping does not change it. Some providers convert it to lower case. */
const tagged = (text: string): readonly number[] =>
  [...text.matchAll(/zq(\d{4})k/gi)].map(([, digits]) => Number(digits))

function form(value: (tag: string, version: string) => string): ValueForm {
  return {
    value: (id) => value(tag(id), 'old'),
    rotated: (id) => value(tag(id), 'new'),
    shownIn: (text) => [...tagged(text), ...decoded(text).flatMap(tagged)],
  }
}

/** Decodes everything that may be base64, from every possible offset of a group of four. */
function decoded(text: string): readonly string[] {
  return [...text.matchAll(/[\w+/-]{16,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
  )
}

const firstCharacter = 0x4e00

export const valueForms = {
  token: form((tag, version) => `tok-${tag}-${version}`),
  'a token with a line end': form((tag, version) => `tok-${tag}-${version}\n`),
  'several lines': form((tag, version) => `-----BEGIN ${tag}-----\n${tag} ${version}\r\n${tag} end\n`),
  'quotes and others': form((tag, version) => `${tag}" \\é漢😀 <&>%+?#' ${version}`),
  /** Each value has a unique character. */
  'three characters': {
    value: (id: number) => `${String.fromCharCode(firstCharacter + id)}q1`,
    rotated: (id: number) => `${String.fromCharCode(firstCharacter + id)}q2`,
    shownIn: (text: string) =>
      [...text.matchAll(/[\u4e00-\u8fff]/g)].map(([one]) => one.charCodeAt(0) - firstCharacter),
  },
} as const satisfies Readonly<Record<string, ValueForm>>

export type ValueFormName = keyof typeof valueForms
