// Schemas used in many bodies and responses: each is a named component that its uses refer to, so that generated
// clients have one type for it.
import { ActionTree, WrittenActionTree } from '../../workers/shapes/action-tree.js'
import { AnnotationActions } from '../../workers/shapes/annotation-actions.js'
import { AnnotationRef } from '../../workers/shapes/annotation-ref.js'
import { Annotation } from '../../workers/shapes/annotations/annotation.js'
import { AnnotationReply } from '../../workers/shapes/annotations/common.js'
import { AttachedFile, WrittenFile } from '../../workers/shapes/annotations/file-attachment.js'
import { WidgetAnnotation } from '../../workers/shapes/annotations/widget.js'
import { AnnotationDraft, AnnotationPatch } from '../../workers/shapes/annotations/written.js'
import { AppearanceOutcome } from '../../workers/shapes/changes/appearance-outcome.js'
import { FieldDraft, FieldPatch } from '../../workers/shapes/changes/forms-fields.js'
import { ActionsPatch, WidgetPatch, WidgetPlacement } from '../../workers/shapes/changes/forms-look.js'
import { FormFieldValue } from '../../workers/shapes/changes/forms-values.js'
import { MetadataPatch } from '../../workers/shapes/changes/metadata-update.js'
import { CustomMetadataPatch } from '../../workers/shapes/changes/metadata-update-custom.js'
import {
  AnnotationMeta,
  CacheDelta,
  CachePins,
  FormMeta,
  MutationMeta,
} from '../../workers/shapes/changes/mutation-meta.js'
import { ResourceKeys } from '../../workers/shapes/changes/resource-keys.js'
import { Destination } from '../../workers/shapes/destination.js'
import { DocumentMetadata } from '../../workers/shapes/document-metadata.js'
import { FieldActions } from '../../workers/shapes/field-actions.js'
import { FormField } from '../../workers/shapes/form-field.js'
import { FormFieldRef } from '../../workers/shapes/form-field-ref.js'
import { FormWidget } from '../../workers/shapes/form-widget.js'
import { LineEndings } from '../../workers/shapes/line-ending.js'
import { LinkTarget } from '../../workers/shapes/link-target.js'
import { AnnotationPosition, FieldPosition, PagePosition } from '../../workers/shapes/list-position.js'
import { Measure, Measurement, WrittenMeasure, WrittenMeasurement } from '../../workers/shapes/measurement.js'
import { NumberFormat } from '../../workers/shapes/number-format.js'
import { PageBox } from '../../workers/shapes/page-box.js'
import { PageLayout } from '../../workers/shapes/page-layout.js'
import { PageList } from '../../workers/shapes/page-list.js'
import { PagePoint } from '../../workers/shapes/page-point.js'
import { PageQuad } from '../../workers/shapes/page-quad.js'
import { PageRef } from '../../workers/shapes/page-ref.js'
import { PdfRect } from '../../workers/shapes/pdf-rect.js'
import { RichText, RunStyle, WrittenRichText } from '../../workers/shapes/rich-text.js'
import { ValueEntry } from '../../workers/shapes/value-entry.js'
import { Document, ImportSource, Upload } from '../schemas/document.js'
import { AuditEvent } from '../schemas/events.js'
import { DocumentProtection, DocumentVersion } from '../schemas/head.js'
import { DocumentedScopeWord, ShareScopeWord, TokenScopeWord } from '../schemas/scope.js'
import { Share } from '../schemas/share.js'
import { Tenant } from '../schemas/tenant.js'

const named = {
  ActionTree,
  ActionsPatch,
  Annotation,
  AnnotationActions,
  AnnotationDraft,
  AnnotationMeta,
  AnnotationPatch,
  AnnotationPosition,
  AnnotationRef,
  AnnotationReply,
  AppearanceOutcome,
  AttachedFile,
  AuditEvent,
  CacheDelta,
  CachePins,
  CustomMetadataPatch,
  Destination,
  Document,
  DocumentMetadata,
  DocumentProtection,
  DocumentVersion,
  FieldActions,
  FieldDraft,
  FieldPatch,
  FieldPosition,
  FormField,
  FormFieldRef,
  FormFieldValue,
  FormMeta,
  FormWidget,
  ImportSource,
  LineEndings,
  LinkTarget,
  Measure,
  Measurement,
  MetadataPatch,
  MutationMeta,
  NumberFormat,
  PageBox,
  PageLayout,
  PageList,
  PagePoint,
  PagePosition,
  PageQuad,
  PageRef,
  PdfRect,
  ResourceKeys,
  RichText,
  RunStyle,
  Share,
  Tenant,
  Upload,
  ValueEntry,
  WidgetAnnotation,
  WidgetPatch,
  WidgetPlacement,
  WrittenActionTree,
  WrittenFile,
  WrittenMeasure,
  WrittenMeasurement,
  WrittenRichText,
}

export const sharedSchemas: ReadonlyMap<object, string> = new Map(
  Object.entries(named).map(([name, schema]) => [schema, name]),
)

/** Schemas whose description is more precise than their validation. */
export const documentedSchemas: ReadonlyMap<object, object> = new Map([
  [ShareScopeWord, DocumentedScopeWord],
  [TokenScopeWord, DocumentedScopeWord],
])
