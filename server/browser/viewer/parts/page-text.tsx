// Text of a page for screen readers, which see nothing in its picture.
import { useEffect, useState } from 'preact/hooks'
import type { OpenedDocument } from '../engine/opened-document.js'
import { wholeTextOf } from '../engine/text.js'

/** Time for which a page is shown before its text is read: who scrolls past needs none. */
const pauseMs = 1_000

interface PageTextProps {
  readonly opened: OpenedDocument
  readonly pageIndex: number
  /** Changes with the page. */
  readonly version: number
}

export function PageText({ opened, pageIndex, version }: PageTextProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    if (!opened.may('doc.text.copy')) return
    const controller = new AbortController()
    const read = () => wholeTextOf(opened, pageIndex, controller.signal).then(setText, () => {})
    const timer = setTimeout(() => void read(), pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [opened, pageIndex, version])
  return text === '' ? null : <p class="for-readers page-text">{text}</p>
}
