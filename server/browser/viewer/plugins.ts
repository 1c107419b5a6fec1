// The parts of the viewer that are taken from EmbedPDF, with their settings.
import { createPluginRegistration } from '@embedpdf/core'
import { DocumentManagerPluginPackage } from '@embedpdf/plugin-document-manager/preact'
import { InteractionManagerPluginPackage } from '@embedpdf/plugin-interaction-manager/preact'
import { RenderPluginPackage } from '@embedpdf/plugin-render/preact'
import { RotatePluginPackage } from '@embedpdf/plugin-rotate/preact'
import { ScrollPluginPackage } from '@embedpdf/plugin-scroll/preact'
import { SearchPluginPackage } from '@embedpdf/plugin-search/preact'
import { SelectionPluginPackage } from '@embedpdf/plugin-selection/preact'
import { ThumbnailPluginPackage } from '@embedpdf/plugin-thumbnail/preact'
import { TilingPluginPackage } from '@embedpdf/plugin-tiling/preact'
import { ViewportPluginPackage } from '@embedpdf/plugin-viewport/preact'
import { ZoomMode } from '@embedpdf/plugin-zoom'
import { ZoomPluginPackage } from '@embedpdf/plugin-zoom/preact'

/** Id by which the parts know the document of the page. */
export const documentId = 'document'

export const plugins = [
  // The engine opens the document of the page, whatever the address.
  createPluginRegistration(DocumentManagerPluginPackage, { initialDocuments: [{ url: '.', documentId }] }),
  createPluginRegistration(ViewportPluginPackage, { viewportGap: 12 }),
  createPluginRegistration(ScrollPluginPackage, { defaultPageGap: 12, defaultBufferSize: 2 }),
  createPluginRegistration(InteractionManagerPluginPackage),
  createPluginRegistration(RenderPluginPackage),
  createPluginRegistration(TilingPluginPackage, { tileSize: 768, overlapPx: 2, extraRings: 0 }),
  createPluginRegistration(ZoomPluginPackage, { defaultZoomLevel: ZoomMode.Automatic, minZoom: 0.1, maxZoom: 16 }),
  createPluginRegistration(RotatePluginPackage),
  createPluginRegistration(ThumbnailPluginPackage, { width: 140, gap: 8, labelHeight: 20, paddingY: 8 }),
  createPluginRegistration(SearchPluginPackage, { showAllResults: true }),
  createPluginRegistration(SelectionPluginPackage, { marquee: { enabled: false } }),
]
