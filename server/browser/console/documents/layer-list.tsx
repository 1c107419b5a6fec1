// The layers of a document. The layer `default` exists also where nobody has edited it.
import { useCallback } from 'preact/hooks'
import type { Static } from 'typebox'
import type { DocumentLayer, DocumentLayers } from '../../../schemas/document-history.js'
import { useSession } from '../current.js'
import { countText, sizeText, timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { ListView } from '../parts/list-view.js'
import { documentPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { type DocumentRecord, nameOf } from './document.js'
import { OpenButton } from './open-button.js'

type Layer = Pick<Static<typeof DocumentLayer>, 'layerName'> & Partial<Static<typeof DocumentLayer>>

interface LayerListProps {
  readonly document: DocumentRecord
  readonly canOpen: boolean
}

export function LayerList({ document, canOpen }: LayerListProps) {
  const { client } = useSession()
  const { id: docId, tenantId } = document
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery(`${documentPath(tenantId, docId)}/layers`, { limit: 50, cursor })
      const { layers, nextCursor } = await client.json<Static<typeof DocumentLayers>>(path, { signal })
      const others = layers.filter(({ layerName }) => layerName !== 'default')
      const unedited: Layer = { layerName: 'default' }
      const first = cursor === undefined ? [layers.find(({ layerName }) => layerName === 'default') ?? unedited] : []
      return { items: [...first, ...others] as readonly Layer[], nextCursor }
    },
    [client, tenantId, docId],
  )
  return (
    <section class="card" aria-label={text('layers')}>
      <ListView
        label={text('layers')}
        list={useList(read)}
        empty={text('nothingFound')}
        row={(layer) => (
          <li key={layer.layerName} class="row">
            <div class="row-main">
              <span class="row-title">{layer.layerName}</span>
              <span class="row-note">
                <LayerNote layer={layer} />
              </span>
            </div>
            <div class="row-actions">
              {canOpen && (
                <OpenButton
                  name={`${nameOf(document)}, ${layer.layerName}`}
                  tenantId={tenantId}
                  docId={docId}
                  layerName={layer.layerName}
                />
              )}
            </div>
          </li>
        )}
      />
    </section>
  )
}

function LayerNote({
  layer: { layerVersion, versionNumber, storageSizeBytes, updatedAt, redacted },
}: {
  readonly layer: Layer
}) {
  if (layerVersion === undefined) return <span>{text('unedited')}</span>
  return (
    <>
      {redacted && <Chip tone="quiet" label={text('redacted')} />}
      <span>{text('edits', { count: countText(layerVersion) })}</span>
      <span>{text('versionNumber', { number: versionNumber ?? 1 })}</span>
      <span>{sizeText(storageSizeBytes ?? 0)}</span>
      <span>{timeText(updatedAt ?? 0)}</span>
    </>
  )
}
