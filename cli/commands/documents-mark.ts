// `agents documents mark ID`: marks every place of a text, a pattern or a kind of number in a document.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import type { MarkReport, Preset, Unseen } from '../../workers/contract/marking.js'
import type { DocumentsClient } from '../documents/client.js'
import { UsageProblem } from '../line/usage.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const presets: readonly Preset[] = ['email', 'iban', 'card', 'phone']

export class DocumentsMarkCommand extends ReadingCommand {
  static override paths = [['documents', 'mark']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Mark every place of a text for redaction, or highlight it',
    details:
      'Makes one mark for each hit, as one change of the layer, and lists what the search cannot see. Marks remove\n' +
      'nothing: look at them, then apply them (redactions/apply). A repeated run marks no place twice.',
    examples: [
      ['Names', 'agents documents mark ID --text "Ada Lovelace" --whole-word'],
      ['Account numbers, only to look', 'agents documents mark ID --preset iban --dry-run'],
      ['A pattern, on two pages', "agents documents mark ID --regex 'INV-\\d+' --page 2 --page 5"],
      ['In another layer, with a label', 'agents documents mark ID --preset email --layer legal --label removed'],
      ['Highlight', 'agents documents mark ID --text deadline --highlight --color "#ffd400"'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  text = Option.String('--text', { description: 'Text to find.' })
  regex = Option.String('--regex', { description: 'Pattern to find, in the syntax of RE2.' })
  preset = Option.String('--preset', {
    description: `Kind of number to find: ${presets.join(', ')}.`,
    validator: t.isEnum(presets),
  })
  matchCase = Option.Boolean('--match-case', false, { description: 'Distinguish upper and lower case.' })
  wholeWord = Option.Boolean('--whole-word', false, { description: 'Only where no letter or digit is beside it.' })
  page = Option.Array('--page', {
    description: 'Only this page, from 1. May be repeated.',
    validator: t.isArray(t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(1)])),
  })
  highlight = Option.Boolean('--highlight', false, { description: 'Highlight instead of marking for redaction.' })
  label = Option.String('--label', { description: 'Text that is drawn in the place of what is redacted.' })
  color = Option.String('--color', { description: 'Colour of the marks: #rrggbb.' })
  dryRun = Option.Boolean('--dry-run', false, { description: 'Only count: change nothing.' })

  override async execute(): Promise<ExitCode> {
    this.refuseMisuse()
    const client = await this.connectForReading()
    const layer = this.layerPath(this.docId, this.layer)
    const numbers = await this.pageNumbers(client, layer)
    const json = { ...this.sought(), ...(this.page && { pages: numbers.named }), data: this.look() }
    const path = `${layer}/annotations/mark${this.dryRun ? '/preview' : ''}`
    const report = await client.json<MarkReport>(path, { method: 'POST', json })
    this.report(report, numbers.of)
    return exitCode.done
  }

  private refuseMisuse(): void {
    if ([this.text, this.regex, this.preset].filter((sought) => sought !== undefined).length !== 1)
      throw misused('Name exactly one of --text, --regex and --preset.')
    if (this.highlight && this.label !== undefined) throw misused('--label is for redaction marks, not for highlights.')
  }

  private sought(): object {
    const { text, regex, preset, matchCase, wholeWord } = this
    return {
      ...(text === undefined ? {} : { text }),
      ...(regex === undefined ? {} : { regex }),
      ...(preset === undefined ? {} : { preset }),
      ...(matchCase && { matchCase }),
      ...(wholeWord && { wholeWord }),
    }
  }

  private look(): object {
    const { highlight, label, color } = this
    return {
      subtype: highlight ? 'highlight' : 'redact',
      ...(label === undefined ? {} : { overlayText: label }),
      ...(color === undefined ? {} : { color: color.toLowerCase() }),
    }
  }

  /** Returns references of the named pages, and the numbers of all pages by object number. */
  private async pageNumbers(client: DocumentsClient, layer: string) {
    const { pagesOf } = await import('../documents/page.js')
    const { documentsProblem } = await import('../documents/problems.js')
    const objects = (await pagesOf(client, layer)).map(({ key }) => Number(key.slice('obj:'.length)))
    const named = (this.page ?? []).map((number) => {
      const objectNumber = objects[number - 1]
      if (objectNumber !== undefined) return { kind: 'objectNumber', objectNumber }
      throw documentsProblem('documents.no-page', {
        detail: `There is no page ${number}; the document has ${objects.length}.`,
      })
    })
    return { named, of: new Map(objects.map((objectNumber, index) => [objectNumber, index + 1])) }
  }

  private report({ total, pages }: MarkReport, numberOf: ReadonlyMap<number, number>): void {
    for (const { page, hits, marked, skipped, unseen } of pages) {
      const number = numberOf.get(page.objectNumber) ?? 0
      this.output.record({ type: 'page', page: number, hits, marked, skipped, unseen })
      const found = hits === 0 ? '' : `: ${countOf(hits, 'hit')}${skipped === 0 ? '' : `, ${skipped} marked before`}`
      const blind = unseenText(unseen)
      this.output.print(`Page ${number}${found}${blind === '' ? '' : `; not searched: ${blind}`}`)
    }
    const isDryRun = this.dryRun
    this.output.record({ type: 'summary', isDryRun, ...total })
    const done = isDryRun ? 'would be marked' : 'marked'
    const before = total.skipped === 0 ? '' : `, ${total.skipped} marked before`
    this.output.print(`${countOf(total.marked, 'place')} ${done}${before}; ${countOf(total.pages, 'page')} searched`)
    if (unseenText(total.unseen) !== '')
      this.output.note('The search reads text alone: look at what it did not search.')
  }
}

const names: Readonly<Record<keyof Unseen, string>> = {
  pictures: 'picture',
  drawings: 'drawing',
  annotations: 'annotation',
  fields: 'field',
  hiddenCharacters: 'hidden character',
  unreadableCharacters: 'unreadable character',
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const unseenText = (unseen: Unseen): string =>
  (Object.keys(names) as (keyof Unseen)[])
    .filter((kind) => unseen[kind] > 0)
    .map((kind) => countOf(unseen[kind], names[kind]))
    .join(', ')

const misused = (detail: string) =>
  new UsageProblem('cli.bad-value', { detail, fix: 'See "agents documents mark --help".' })
