// Reads the actions of a document from its catalog. An /OpenAction is an action or a destination.
import type { DocumentActions } from '../contract/document-actions.js'
import type { Reading } from '../document/reading.js'
import { nameTree } from '../objects/trees.js'
import { entry, isDictionary } from '../objects/values.js'
import { actionTree, documentEvents } from './actions.js'
import { destinationOf } from './destinations.js'

export function readDocumentActions(reading: Reading): DocumentActions {
  const { catalog } = reading
  const opening = entry(catalog, 'OpenAction')
  const isAction = isDictionary(opening)
  return {
    nameTreeScripts: scriptsOf(reading),
    openAction: (isAction ? actionTree(reading, opening) : undefined) ?? null,
    openDestination: (isAction ? undefined : destinationOf(reading, opening)) ?? null,
    ...documentEvents(reading, catalog),
  }
}

function scriptsOf(reading: Reading): DocumentActions['nameTreeScripts'] {
  const scripts: DocumentActions['nameTreeScripts'] = []
  for (const [name, value] of nameTree(entry(reading.catalog, 'Names', 'JavaScript'))) {
    const action = actionTree(reading, value)
    if (action === undefined) continue
    reading.budget.takeItem()
    scripts.push({ name: reading.budget.takeText(name), action })
  }
  return scripts
}
