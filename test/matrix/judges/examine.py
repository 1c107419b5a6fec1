"""Answers one JSON line for every JSON line with the path of a PDF: what pikepdf finds in it."""
import hashlib
import json
import re
import sys

import pikepdf

REFERENCE = re.compile(r'"(\d+) (\d+) R"')
OBJECTS_MAX = 4000
PAGES_MAX = 400


def fields_of(pdf):
    found = {}

    def walk(field, prefix, depth, value):
        if depth > 20:
            return
        name = str(field.get('/T')) if '/T' in field else None
        path = prefix if name is None else (prefix + '.' + name if prefix else name)
        value = field.get('/V', value)
        kids = [kid for kid in field.get('/Kids', []) if '/T' in kid]
        if kids:
            for kid in kids:
                walk(kid, path, depth + 1, value)
        else:
            found[path] = None if value is None else text_of(value)

    form = pdf.Root.get('/AcroForm')
    if form is not None:
        for field in form.get('/Fields', []):
            walk(field, '', 0, None)
    for page in list(pdf.pages)[:PAGES_MAX]:
        for one in page.get('/Annots', []):
            name, value = stray_field(one)
            if name is not None:
                found.setdefault(name, value)
    return found


def stray_field(widget):
    """Name and value of a widget's field, from its chain of parents: the only way to fields that no form lists."""
    if not isinstance(widget, pikepdf.Dictionary) or widget.get('/Subtype') != '/Widget':
        return None, None
    names, value, field = [], None, widget
    for _ in range(20):
        if not isinstance(field, pikepdf.Dictionary):
            break
        if '/T' in field:
            names.insert(0, str(field.get('/T')))
        value = field.get('/V') if value is None else value
        field = field.get('/Parent')
    return ('.'.join(names) if names else None), (None if value is None else text_of(value))


def strange_buttons(pdf):
    """Buttons whose current state has no appearance, and fields whose value is not a state of any of their buttons."""
    strange = []

    def inherited(field, key):
        for _ in range(20):
            if key in field:
                return field.get(key)
            if '/Parent' not in field:
                return None
            field = field.get('/Parent')
        return None

    def states(widget):
        normal = widget.get('/AP', {}).get('/N')
        # pikepdf does not return names that are not UTF-8 as keys.
        return [] if normal is None or isinstance(normal, pikepdf.Stream) else re.findall(rb'(/[^\s/]+) \d+ \d+ R', normal.unparse())

    def walk(field, depth):
        kids = list(field.get('/Kids', [])) if '/Kids' in field else []
        if depth > 20:
            return
        named = [kid for kid in kids if '/T' in kid]
        for kid in named:
            walk(kid, depth + 1)
        if named or inherited(field, '/FT') != '/Btn' or int(inherited(field, '/Ff') or 0) & 65536:
            return
        widgets = kids or [field]
        for widget in widgets:
            state = widget.get('/AS')
            if state is not None and state != '/Off' and state.unparse() not in states(widget):
                strange.append('state %s of %d' % (state.unparse().decode(), widget.objgen[0]))
        value = inherited(field, '/V')
        if isinstance(value, pikepdf.Name) and value != '/Off' and not any(value.unparse() in states(widget) for widget in widgets):
            strange.append('value %s of %d' % (value.unparse().decode(), field.objgen[0]))

    form = pdf.Root.get('/AcroForm')
    if form is not None:
        for field in form.get('/Fields', []):
            walk(field, 0)
    return strange


def text_of(value):
    if isinstance(value, pikepdf.Array):
        return [text_of(item) for item in value]
    if isinstance(value, pikepdf.Name):
        return value.unparse().decode()
    if isinstance(value, pikepdf.Stream):
        return '(stream)'
    if isinstance(value, pikepdf.Dictionary):
        return '(dictionary)'
    return str(value)


def examine(path, password):
    with pikepdf.open(path, password=password) as pdf:
        pages = len(pdf.pages)
        annotations = []
        for page in list(pdf.pages)[:PAGES_MAX]:
            try:
                annotations.append(len([one for one in page.get('/Annots', []) if one is not None]))
            except Exception:
                annotations.append(-1)
        referenced, bad, whole = set(), [], len(pdf.objects) <= OBJECTS_MAX
        replaces_text = replaces_colors = False
        if whole:
            for one in pdf.objects:
                # Not an indirect object: the entry is free.
                if not hasattr(one, 'objgen'):
                    continue
                try:
                    text = one.to_json(dereference=False).decode('latin1')
                    referenced.update((int(number), int(generation)) for number, generation in REFERENCE.findall(text))
                    replaces_text |= '/ActualText' in text
                    replaces_colors |= '/DefaultRGB' in text
                except Exception as problem:
                    bad.append('object-%d %s' % (one.objgen[0], problem))
                if isinstance(one, pikepdf.Stream):
                    bad += bad_stream(one)
                    replaces_text |= says_other_text(one)
        title = pdf.docinfo.get('/Title') if '/Info' in pdf.trailer else None
        try:
            fields = fields_of(pdf)
        except Exception as problem:
            fields = {'(unreadable)': str(problem)}
        return {
            'pages': pages,
            'annotations': annotations,
            'fields': fields,
            'strange': strange_buttons(pdf),
            'pageNumbers': [page.objgen[0] for page in pdf.pages],
            'dangling': sorted(one[0] for one in referenced if pdf.get_object(one) is None),
            'bad': bad,
            'replacesText': replaces_text,
            'replacesColors': replaces_colors,
            'title': None if title is None else str(title),
        }


def says_other_text(one):
    if one.get('/Subtype') == '/Image':
        return False
    try:
        return b'/ActualText' in one.read_bytes()
    except Exception:
        return False


def bad_stream(one):
    """Begins with a digest of the stream, by which it is known again in copies under another number."""
    try:
        if one.get('/Subtype') == '/Image' and int(one.get('/Length', 0)) > 200000:
            one.read_raw_bytes()
        else:
            one.get_stream_buffer(decode_level=pikepdf.StreamDecodeLevel.specialized)
        return []
    except Exception as problem:
        # qpdf has no decoder for this filter.
        if 'unfilterable' in str(problem):
            return []
        return ['%s %d: %s' % (hashlib.sha256(one.read_raw_bytes()).hexdigest(), one.objgen[0], problem)]


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = examine(request['path'], request['password'])
    except Exception as problem:
        answer = {'error': '%s: %s' % (type(problem).__name__, problem)}
    print(json.dumps({'id': request['id'], **answer}), flush=True)
