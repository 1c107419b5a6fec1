"""Makes scripts.pdf: texts in 13 scripts, shaped by Pango and HarfBuzz, one page each, and texts.json.

The file is in the repository, so that no test needs Pango: run this only to change the texts.
Debian: apt-get install python3-gi-cairo gir1.2-pangocairo-1.0 fonts-noto-core fonts-noto-cjk (SIL Open Font License).
"""
import json

import cairo
import gi

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo

texts = {
    "Latin": ("Noto Sans", ["The office’s “first” fluffy café – naïve"]),
    "Greek": ("Noto Sans", ["Η γρήγορη αλεπού", "Ἐν ἀρχῇ ἦν ὁ λόγος"]),
    "Cyrillic": ("Noto Sans", ["Съешь ещё этих мягких булок, «Йод»"]),
    "Arabic": (
        "Noto Naskh Arabic",
        [
            "السلام عليكم ورحمة الله وبركاته",
            "رقم الحساب ١٢٣٤٥٦٧ والمبلغ ٢٥٫٧٥ دينار",
            "الاسم (محمد) والعمر 25 سنة في Berlin اليوم",
            "بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ",
        ],
    ),
    "Persian": ("Noto Naskh Arabic", ["شماره ۱۲۳۴۵۶ در سال ۱۴۰۲", "گزارش [پروژه] پایانی"]),
    "Urdu": ("Noto Nastaliq Urdu", ["یہ ایک اردو جملہ ہے"]),
    "Hebrew": (
        "Noto Sans Hebrew",
        [
            "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם",
            "שלום עולם (2024) עם Windows 10 היום",
            "טלפון 03-1234567 בתל אביב",
        ],
    ),
    "Syriac": ("Noto Sans Syriac", ["ܒܪܫܝܬ ܐܝܬܘܗܝ ܗܘܐ ܡܠܬܐ"]),
    "Thai": ("Noto Sans Thai", ["สวัสดีครับ ยินดีต้อนรับ", "น้ำตกที่สวยงามมาก"]),
    "Devanagari": ("Noto Sans Devanagari", ["नमस्ते दुनिया हिन्दी में", "क्षत्रिय विद्यालय किताब"]),
    "Bengali": ("Noto Sans Bengali", ["আমার সোনার বাংলা", "কিতাব স্ত্রী বিশ্ববিদ্যালয়"]),
    "Tamil": ("Noto Sans Tamil", ["வணக்கம் உலகம்", "தமிழ் மொழி கொண்டு"]),
    "Chinese and Japanese": ("Noto Sans CJK JP", ["東京都の日本語", "電話１２３"]),
    "mixed": ("Noto Sans", ["The word שלום means (السلام) peace", "Order ١٢٣ shipped"]),
}

surface = cairo.PDFSurface("scripts.pdf", 420, 260)
surface.set_metadata(cairo.PDFMetadata.CREATE_DATE, "2026-01-01T00:00:00Z")
context = cairo.Context(surface)
for font, lines in texts.values():
    for index, line in enumerate(lines):
        layout = PangoCairo.create_layout(context)
        layout.set_font_description(Pango.FontDescription(f"{font} 14"))
        layout.set_width(380 * Pango.SCALE)
        layout.set_text(line, -1)
        context.move_to(20, 20 + 60 * index)
        PangoCairo.show_layout(context, layout)
    surface.show_page()
surface.finish()
with open("texts.json", "w", encoding="utf-8") as file:
    json.dump({name: lines for name, (_, lines) in texts.items()}, file, ensure_ascii=False, indent=2)
    file.write("\n")
