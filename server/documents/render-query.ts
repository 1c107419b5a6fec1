// Parses the render query from flat keys. Members of a variant that was not selected are refused, because they show
// that the client expects a different picture.
import type { Static } from 'typebox'
import type { RenderInput } from '../../workers/jobs/render.js'
import { invalidArg } from '../refusals/refusal.js'
import type { RenderQuery } from '../schemas/reading.js'

export type Drawing = Omit<RenderInput, 'source' | 'page' | 'family'>
type Query = Static<typeof RenderQuery>

export function drawingOf(query: Query): Drawing {
  const { rotation = 0, background = 'white' } = query
  if (query.contentVersion !== undefined && query.format === undefined) {
    throw invalidArg('With contentVersion, format is required')
  }
  return {
    view: { viewport: viewportOf(query), target: targetOf(query), rotation },
    encoding: encodingOf(query),
    background,
  }
}

/** Returns the encoding; pictures without loss have no quality. */
export function encodingOf({ format = 'webp', quality }: Pick<Query, 'format' | 'quality'>): Drawing['encoding'] {
  return format === 'png' ? { format } : { format, ...(quality === undefined ? {} : { quality }) }
}

export type ViewportQuery = Pick<Query, 'viewport.kind' | 'viewport.width' | 'viewport.scale'>

export function viewportOf(query: ViewportQuery): Drawing['view']['viewport'] {
  const { 'viewport.kind': kind = 'scale', 'viewport.width': width, 'viewport.scale': scale } = query
  if (kind === 'width') {
    if (scale !== undefined) throw invalidArg('viewport.scale belongs to viewport.kind=scale')
    if (width === undefined) throw invalidArg('viewport.kind=width needs viewport.width')
    return { kind, width }
  }
  if (width !== undefined) throw invalidArg('viewport.width belongs to viewport.kind=width')
  return { kind, scale: scale ?? 1 }
}

function targetOf(query: Query): Drawing['view']['target'] {
  const { 'target.kind': kind = 'page' } = query
  const members = [
    query['target.rect.x'],
    query['target.rect.y'],
    query['target.rect.width'],
    query['target.rect.height'],
  ]
  if (kind === 'page') {
    if (members.some((member) => member !== undefined)) throw invalidArg('target.rect belongs to target.kind=rect')
    return undefined
  }
  const [x, y, width, height] = members
  if (x === undefined || y === undefined || width === undefined || height === undefined) {
    throw invalidArg('target.kind=rect needs target.rect.x, .y, .width and .height')
  }
  return { x, y, width, height }
}
