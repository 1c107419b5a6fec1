// Forms of generated files: each has fields with one unusual property, on the first page and partly on the second.
import type { RawObjects } from '../../support/pdf/raw-pdf.js'
import type { Spec } from './dimensions.js'

export interface MadeForm {
  readonly objects: RawObjects
  /** Catalogue entries; empty without a form. */
  readonly catalog: string
  /** Object numbers of widgets, by page index. */
  readonly widgets: readonly [readonly number[], readonly number[]]
}

interface Place {
  readonly origin: readonly [number, number]
  /** Object numbers of the first two pages. */
  readonly pages: readonly [number, number]
}

const defaultLook = '/DA(/Helv 12 Tf 0 g)'
const helvetica = '/DR<</Font<</Helv 9 0 R>>>>'
const marks = { 90: '1 0 0 1 0 0 cm 0 0 18 18 re S 4 4 10 10 re f', 91: '0 0 18 18 re S' }

export function formOf({ form, names }: Pick<Spec, 'form' | 'names'>, place: Place): MadeForm {
  const fields = new Fields(place)
  fieldMakers[form](fields)
  if (names === 'raw-states') rawStates(fields)
  return fields.made(form)
}

const fieldMakers: Readonly<Record<Spec['form'], (fields: Fields) => void>> = {
  'no-form': () => {},
  merged(fields) {
    fields.text('name', 'Ada', { shown: 'Ada' })
    fields.text('empty', undefined, { shown: '' })
    fields.checkbox('agree', 'Yes')
  },
  // Widgets that the field lists and that do not refer to the field.
  orphans(fields) {
    fields.parent('lost', [fields.kid('/T(kid)/FT/Tx/V(Kid)')], '', false)
    fields.parent('shown', [fields.kid('', 0), fields.kid('', 1)], '/FT/Tx/V(Orphan)', false)
  },
  split(fields) {
    fields.parent('person', [fields.kid('/T(first)/FT/Tx/V(Ada)'), fields.kid('/T(last)/FT/Tx/V(Byron)')])
    fields.parent('both', [fields.kid('', 0), fields.kid('', 1)], '/FT/Tx/V(twice)')
    fields.radio('size', ['Small', 'Large'])
  },
  'need-appearances'(fields) {
    fields.text('stale', 'CURRENT', { shown: 'STALE' })
    fields.text('bare', 'BARE')
    fields.checkbox('agree', 'Yes')
  },
  'opt-radio'(fields) {
    fields.radio('color', ['0', '1', '2'], { more: '/Opt[(red)(green)(blue)]', chosen: '1' })
    fields.radio('unison', ['x', 'x', 'y'], { flags: 2 ** 25 })
  },
  calculations(fields) {
    fields.text('price', '2')
    fields.text('count', '3')
    fields.text('total', '6', {
      more: '/AA<</C<</S/JavaScript/JS(AFSimple_Calculate\\("PRD", new Array \\("price", "count"\\)\\);)>>>>',
    })
  },
  password(fields) {
    fields.text('secret', 'opensesame', { more: `/Ff ${2 ** 13}` })
    fields.text('plain', 'seen', { shown: 'seen' })
  },
  choices(fields) {
    fields.choice('combo', '/Ff 131072/V(b)/Opt[(a)[(b)(Bee)](c)]')
    fields.list('list', 'o9', 12)
  },
  'stray-widgets'(fields) {
    fields.text('stray', 'Stray', { shown: 'Stray' })
    fields.checkbox('strayed', 'On')
  },
  signature(fields) {
    fields.add('/FT/Sig/T(sign)')
    fields.text('name', 'Ada', { shown: 'Ada' })
  },
}

/** State names in an encoding other than UTF-8. */
function rawStates(fields: Fields): void {
  fields.checkbox('geschlecht', 'm#e4nnlich')
  fields.radio('wer', ['M#fcller', 'M#f6ller'])
}

class Fields {
  #next = 30
  #row = 0
  readonly #objects: Record<number, RawObjects[number]> = {}
  readonly #roots: number[] = []
  readonly #widgets: [number[], number[]] = [[], []]

  constructor(private readonly place: Place) {}

  text(name: string, value: string | undefined, { shown, more = '' }: { shown?: string; more?: string } = {}): void {
    const appearance = shown === undefined ? '' : `/AP<</N ${this.#drawing(showing(shown))} 0 R>>`
    this.add(`/FT/Tx/T(${name})${value === undefined ? '' : `/V(${value})`}${appearance}${more}`)
  }

  checkbox(name: string, state: string): void {
    this.add(`/FT/Btn/T(${name})/V/Off/AS/Off${states(state)}`, { width: 18 })
  }

  /** List box three rows high, drawn scrolled to its selection. */
  list(name: string, chosen: string, count: number): void {
    const options = Array.from({ length: count }, (_, index) => `o${index}`)
    const rows = options.slice(options.indexOf(chosen) - 1, options.indexOf(chosen) + 2)
    const lines = rows.map((row, index) => `1 0 0 1 2 ${34 - 14 * index} Tm (${row}) Tj`).join(' ')
    const drawing = this.#drawing(`/Tx BMC q BT /Helv 12 Tf ${lines} ET Q EMC`, 48)
    const choice = `/V(${chosen})/TI ${options.indexOf(chosen) - 1}/Opt[${options.map((option) => `(${option})`).join('')}]`
    this.#row += 2
    this.add(`/FT/Ch/T(${name})${choice}/AP<</N ${drawing} 0 R>>`, { height: 48 })
  }

  choice(name: string, entries: string): void {
    this.add(`/FT/Ch/T(${name})${entries}`)
  }

  radio(name: string, values: readonly string[], { more = '', flags = 0, chosen = 'Off' } = {}): void {
    const kids = values.map((value) => this.kid(`/AS/${value === chosen ? value : 'Off'}${states(value)}`, 0, 18))
    this.parent(name, kids, `/FT/Btn/Ff ${2 ** 15 + flags}/V/${chosen}${more}`)
  }

  add(entries: string, size: Partial<WidgetSize> = {}): void {
    this.#roots.push(this.#widget(entries, 0, size))
  }

  kid(entries: string, page: 0 | 1 = 0, width = 100): number {
    return this.#widget(entries, page, { width })
  }

  parent(name: string, kids: readonly number[], entries = '', isNamed = true): void {
    const number = this.#next++
    for (const kid of isNamed ? kids : [])
      this.#objects[kid] = `${bodyOf(this.#objects[kid]).slice(0, -2)}/Parent ${number} 0 R>>`
    this.#objects[number] = `<</T(${name})${entries}/Kids[${listed(kids)}]>>`
    this.#roots.push(number)
  }

  made(form: Spec['form']): MadeForm {
    if (this.#roots.length === 0) return { objects: {}, catalog: '', widgets: [[], []] }
    const needs = form === 'need-appearances' || form === 'password' ? '/NeedAppearances true' : ''
    const order = form === 'calculations' ? `/CO[${this.#roots.at(2)} 0 R]` : ''
    const entries = `/Fields[${listed(this.#roots)}]${defaultLook}${helvetica}${needs}${order}`
    const drawings = Object.entries(marks).map(([number, stream]) => [
      number,
      { body: '<</Type/XObject/Subtype/Form/BBox[0 0 18 18]>>', stream },
    ])
    return {
      objects: { ...this.#objects, ...Object.fromEntries(drawings) },
      catalog: form === 'stray-widgets' ? '' : `/AcroForm<<${entries}>>`,
      widgets: this.#widgets,
    }
  }

  #widget(entries: string, page: 0 | 1, { width = 100, height = 18 }: Partial<WidgetSize>): number {
    const number = this.#next++
    const [left, bottom] = this.place.origin
    const y = 250 - 24 * this.#row++
    const rect = [left + 30, bottom + y, left + 30 + width, bottom + y + height]
    this.#widgets[page].push(number)
    const common = `/Type/Annot/Subtype/Widget/F 4/P ${this.place.pages[page]} 0 R/MK<</BC[0 0 .5]>>`
    this.#objects[number] = `<<${common}/Rect[${rect.join(' ')}]${defaultLook}${entries}>>`
    return number
  }

  #drawing(stream: string, height = 18): number {
    const number = this.#next++
    this.#objects[number] = {
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 100 ${height}]/Resources<</Font<</Helv 9 0 R>>>>>>`,
      stream,
    }
    return number
  }
}

interface WidgetSize {
  readonly width: number
  readonly height: number
}

const showing = (text: string): string => text && `/Tx BMC q BT /Helv 12 Tf 2 5 Td (${text}) Tj ET Q EMC`
const states = (on: string): string => `/AP<</N<</${on} 90 0 R/Off 91 0 R>>>>`
const listed = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ')
const bodyOf = (object: RawObjects[number] | undefined): string => (typeof object === 'string' ? object : '')
