// A draft of every writable subtype, with the members specific to it.
import type { AnnotationRef } from '../../../../workers/contract/annotation-ref.js'
import type { AnnotationDraft } from '../../../../workers/contract/annotations/written.js'
import type { PageQuad } from '../../../../workers/contract/page-quad.js'
import { pageRef } from '../../../../workers/contract/page-ref.js'
import { onePage } from '../../../support/pdf/raw-pdf.js'

export const page = pageRef(3)

export const annotationRef = (objectNumber: number): AnnotationRef => ({ kind: 'objectNumber', page, objectNumber })

export const quad = (x: number, y: number, width: number, height: number): PageQuad => ({
  upperLeft: { x, y },
  upperRight: { x: x + width, y },
  lowerLeft: { x, y: y + height },
  lowerRight: { x: x + width, y: y + height },
})

const measure = {
  subtype: 'rectilinear',
  ratio: '1 in = 1 ft',
  x: [{ unit: 'ft', conversion: 0.125 }],
  distance: [{ unit: 'ft', conversion: 1, precision: 100 }],
  area: [{ unit: 'sq ft', conversion: 1 }],
} as const

/** Draft of an annotation. `resources`: names of files among those below, by role. */
export interface Sample {
  readonly data: AnnotationDraft
  readonly resources?: Readonly<Record<string, string>>
}

export const samples: Readonly<Record<string, Sample>> = {
  highlight: { data: { subtype: 'highlight', quadPoints: [quad(20, 20, 60, 12)], color: '#00ff00', opacity: 0.5 } },
  underline: { data: { subtype: 'underline', quadPoints: [quad(20, 20, 60, 12)], contents: 'Grüße, мир' } },
  squiggly: { data: { subtype: 'squiggly', quadPoints: [quad(20, 20, 60, 12), quad(20, 40, 30, 12)] } },
  strikeout: { data: { subtype: 'strikeout', quadPoints: [quad(20, 20, 60, 12)], intent: 'strikeout-text-edit' } },
  square: {
    data: { subtype: 'square', box: { x: 20, y: 20, width: 60, height: 30 }, strokeWidth: 2, interiorColor: '#ffeecc' },
  },
  'square, turned': { data: { subtype: 'square', box: { x: 40, y: 40, width: 60, height: 30 }, rotation: 45 } },
  'square, cloudy': { data: { subtype: 'square', box: { x: 40, y: 40, width: 60, height: 30 }, cloudyIntensity: 1 } },
  circle: {
    data: {
      subtype: 'circle',
      box: { x: 20, y: 20, width: 60, height: 30 },
      rotation: 90,
      borderStyle: 'dashed',
      dashArray: [4, 2],
    },
  },
  polygon: {
    data: {
      subtype: 'polygon',
      vertices: [
        { x: 20, y: 20 },
        { x: 80, y: 25 },
        { x: 50, y: 60 },
      ],
      captionEnabled: true,
      captionCenter: { x: 50, y: 40 },
      measure,
      intent: 'polygon-dimension',
      cloudyIntensity: 0.5,
    },
  },
  polyline: {
    data: {
      subtype: 'polyline',
      vertices: [
        { x: 20, y: 60 },
        { x: 80, y: 25 },
        { x: 120, y: 60 },
      ],
      lineEndings: { start: 'circle', end: 'closed-arrow' },
      intent: 'polyline-dimension',
      captionEnabled: true,
      measure,
      interiorColor: '#ffff00',
    },
  },
  line: {
    data: {
      subtype: 'line',
      linePoints: { start: { x: 20, y: 60 }, end: { x: 120, y: 50 } },
      lineEndings: { start: 'butt', end: 'r-open-arrow' },
      captionEnabled: true,
      captionPosition: 'top',
      captionOffset: { along: 3, perpendicular: 2 },
      leader: { length: 8, extension: 2, offset: 1 },
      intent: 'line-dimension',
      measure,
      contents: '2 m',
    },
  },
  ink: {
    data: {
      subtype: 'ink',
      inkList: [
        [
          { x: 20, y: 20 },
          { x: 40, y: 50 },
        ],
        [{ x: 60, y: 20 }],
      ],
      strokeWidth: 3,
      intent: 'ink-highlight',
    },
  },
  'free-text': {
    data: {
      subtype: 'free-text',
      box: { x: 20, y: 20, width: 120, height: 50 },
      contents: 'Plain words',
      fontFamily: 'times-bold-italic',
      fontSize: 14,
      fontColor: '#0000ff',
      textAlign: 'center',
      verticalAlign: 'bottom',
      interiorColor: '#ffffcc',
      color: '#ff0000',
      strokeWidth: 1,
      rotation: 30,
    },
  },
  'free-text, callout': {
    data: {
      subtype: 'free-text',
      box: { x: 80, y: 20, width: 100, height: 40 },
      contents: 'There',
      intent: 'free-text-callout',
      calloutLine: [
        { x: 20, y: 120 },
        { x: 60, y: 40 },
        { x: 80, y: 40 },
      ],
      lineEnding: 'open-arrow',
    },
  },
  caret: { data: { subtype: 'caret', rect: { x: 20, y: 20, width: 12, height: 12 }, intent: 'replace' } },
  text: {
    data: {
      subtype: 'text',
      rect: { x: 20, y: 20, width: 20, height: 20 },
      icon: 'key',
      state: 'Accepted',
      stateModel: 'Review',
      nm: 'note-1',
      subject: 'Review',
      print: true,
      locked: true,
    },
  },
  stamp: {
    data: { subtype: 'stamp', rect: { x: 20, y: 20, width: 60, height: 60 }, name: 'Approved', fit: 'cover' },
    resources: { appearance: 'drawing' },
  },
  'stamp, picture': {
    data: { subtype: 'stamp', box: { x: 20, y: 20, width: 60, height: 60 }, rotation: 90 },
    resources: { appearance: 'picture' },
  },
  'file-attachment': {
    data: {
      subtype: 'file-attachment',
      rect: { x: 20, y: 20, width: 20, height: 20 },
      icon: 'tag',
      file: { name: 'notes.txt', mimeType: 'text/plain', description: 'Notizen für später' },
    },
    resources: { file: 'notes' },
  },
  link: {
    data: {
      subtype: 'link',
      rect: { x: 20, y: 20, width: 60, height: 12 },
      target: { kind: 'goto', destination: { kind: 'xyz', page, left: 10, top: 20, zoom: null } },
    },
  },
  'link, published names': {
    data: {
      subtype: 'link',
      rect: { x: 20, y: 20, width: 60, height: 12 },
      target: { kind: 'goto', destination: { kind: 'fitR', page, x: 10, y: 20, width: 30, height: 40 } },
    },
  },
  'link, uri': {
    data: {
      subtype: 'link',
      rect: { x: 20, y: 20, width: 60, height: 12 },
      target: { kind: 'uri', uri: 'https://a.example/b?c' },
    },
  },
  redact: {
    data: {
      subtype: 'redact',
      rect: { x: 20, y: 20, width: 60, height: 12 },
      overlayText: 'removed',
      repeat: true,
      interiorColor: '#000000',
      fontSize: 0,
      fontColor: '#ffffff',
      textAlign: 'center',
    },
  },
  'redact, quads': { data: { subtype: 'redact', quadPoints: [quad(20, 20, 60, 12), quad(20, 40, 60, 12)] } },
}

/** A PNG of one green pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgaGAAAAEEAIFw9selAAAAAElFTkSuQmCC',
  'base64',
)

export const files = {
  drawing: { bytes: onePage('1 0 0 rg 0 0 100 50 re f', { size: [100, 50] }), contentType: 'application/pdf' },
  picture: { bytes: pixel, contentType: 'image/png' },
  notes: { bytes: Buffer.from('Remember the milk'), contentType: 'text/plain', fileName: 'local.txt' },
}
