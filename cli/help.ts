// Finds out whether a command line asks for help, and for which.
import { beforeSeparator, commandOf, groupOf } from './line/lookup.js'
import { type HelpView, renderCommandHelp, renderGroup, renderOverview } from './render/help.js'
import type { CommandSummary } from './terminal/context.js'

export function asksForHelp(words: readonly string[]): boolean {
  return words[0] === 'help' || beforeSeparator(words).some((word) => word === '--help' || word === '-h')
}

/** Returns the words that say what the help is about. */
export function topicOf(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? words.slice(1) : words
}

/** Returns the help of a command, of a group or of everything; undefined if there is no such command. */
export function helpText(
  topic: readonly string[],
  all: readonly CommandSummary[],
  { version, view }: { readonly version: string; readonly view: HelpView },
): string | undefined {
  const command = commandOf(topic, all)
  if (command) return renderCommandHelp(command, view)
  const group = groupOf(topic, all)
  if (group.length > 0) return renderGroup(topic[0] ?? '', group, view)
  return topic.every((word) => word.startsWith('-')) ? renderOverview(all, version, view) : undefined
}
