// Data of a document, read again after every change.
import { useEffect, useState } from 'preact/hooks'
import type { OpenedDocument } from '../engine/opened-document.js'

type Read<Data> = (opened: OpenedDocument, signal: AbortSignal) => Promise<Data>

/** Returns the data; undefined until they are read first. A failed read leaves the earlier data. `read` never changes. */
export function useRefreshed<Data>(opened: OpenedDocument, read: Read<Data>): Data | undefined {
  const [data, setData] = useState<Data>()
  useEffect(() => {
    let controller = new AbortController()
    const refresh = () => {
      controller.abort()
      controller = new AbortController()
      read(opened, controller.signal).then(setData, () => {})
    }
    refresh()
    const end = opened.onRefresh(refresh)
    return () => {
      end()
      controller.abort()
    }
  }, [opened])
  return data
}
