// Catalogue of commands, read without running them: for help, completion and suggestions.
import type { Cli } from 'clipanion'
import type { CommandSummary, Context, OptionSummary } from '../terminal/context.js'

export function catalogueOf(cli: Cli<Context>, binary: string): readonly CommandSummary[] {
  return cli.definitions().map(({ path, usage, category, description, details, examples, options }) => ({
    path: path.slice(binary.length).trim(),
    category: category?.trim() ?? '',
    description: description?.trim() ?? '',
    // clipanion breaks the text of details at 80 columns, after a space; help breaks it at the width of the terminal.
    details: details?.trim().replaceAll(' \n', ' '),
    examples: (examples ?? []).map(([title, line]) => [title.trim(), line] as const),
    operands: usage.slice(path.length).trim().replaceAll(/[<>]/g, ''),
    options: [...options.map(optionOf), helpOption],
  }))
}

const helpOption: OptionSummary = {
  names: ['--help', '-h'],
  takesValue: false,
  isRequired: false,
  description: 'Show this help.',
}

/** Parses an option from clipanion's form of it, `-c,--config #0`. */
function optionOf({
  definition,
  description,
  required = false,
}: {
  readonly definition: string
  readonly required?: boolean
  readonly description?: string
}): OptionSummary {
  const [names = '', value] = definition.split(' ')
  return {
    names: names.split(',').sort((a, b) => b.length - a.length),
    takesValue: value !== undefined,
    isRequired: required,
    description: description ?? '',
  }
}
