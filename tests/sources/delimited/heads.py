"""Beginnings of files whose dialects are known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Head:
    name: str
    data: bytes
    delimiter: str = ","
    columns: int = 3
    header: bool = True
    quote: str | None = '"'
    escape: str | None = None
    comment: str | None = None
    encoding: str = "utf-8"


def _text(*lines: str, end: str = "\n") -> bytes:
    return (end.join(lines) + end).encode()


_PLAIN = ("id,name,amount", "1,Anna,12.50", "2,Bob,7.25", "3,Carol,100.00")
_CITIES = ("ville,région,habitants", "Genève,Lémanique,203856", "Neuchâtel,Mittelland,44485", "Zürich,Zürich,421878")
_JAPANESE = ("番号,名前,都市", "1,すずき,とうきょう", "2,タナカさん,大阪市", "3,さとう,なごや")
_CHINESE = ("编号,姓名,城市", "1,王小明,北京市", "2,李小红,上海市", "3,张伟的家,广州市")
_KOREAN = ("번호,이름,도시", "1,김민수,서울시", "2,이영희,부산시", "3,박철수,인천시")
_RUSSIAN = ("номер,имя,город", "1,Анна Петрова,Москва", "2,Иван Сидоров,Казань", "3,Мария Иванова,Пермь")

HEADS = (
    Head("plain", _text(*_PLAIN)),
    Head("carriage returns and newlines", _text(*_PLAIN, end="\r\n")),
    Head("carriage returns alone", _text(*_PLAIN, end="\r")),
    Head("no line end at the end", "\n".join(_PLAIN).encode()),
    Head("tabs", _text(*(line.replace(",", "\t") for line in _PLAIN)), "\t"),
    Head("semicolons", _text(*(line.replace(",", ";") for line in _PLAIN)), ";"),
    Head("pipes", _text(*(line.replace(",", "|") for line in _PLAIN)), "|"),
    Head("carets", _text(*(line.replace(",", "^") for line in _PLAIN)), "^"),
    Head("tildes", _text(*(line.replace(",", "~") for line in _PLAIN)), "~"),
    Head("control characters", _text(*(line.replace(",", "\x01") for line in _PLAIN)), "\x01"),
    Head("colons", _text("root:x:0", "daemon:x:1", "bin:x:2", "sys:x:3"), ":", header=False),
    Head("spaces", _text("x y z", "1 2 3", "4 5 6", "7 8 9.5"), " "),
    Head("spaces and words", _text("name size kind", "alpha 12 file", "beta 7 folder", "gamma 99 file"), " "),
    Head("decimal commas", _text("a;b;c", "1,5;2,25;3,0", "4,5;5,75;6,1", "7,0;8,1;9,9"), ";"),
    Head("decimal commas with tabs", _text("a\tb\tc", "1,5\t2,25\t3,0", "4,5\t5,75\t6,1"), "\t"),
    Head("thousands with commas in quotes", _text("a,b", '"1,234","5,678"', '"9,012","3,456"'), columns=2),
    Head("quoted commas", _text("id,name,place", '1,"Doe, Jane","Bern, CH"', '2,"Roe, John","Rome, IT"')),
    Head("quoted semicolons", _text('"a";"b";"c"', '"1;5";"x";"y"', '"2;5";"z, w";"u"'), ";"),
    Head("quoted line ends", _text("id,note,n", '1,"two\nlines",5', '2,"three\n\nlines",6', "3,one,7")),
    Head("doubled quotes", _text("id,said,n", '1,"she said ""no""",5', '2,"he said ""yes, but""",6')),
    Head("all quoted", _text('"id","name","n"', '"1","Anna","5"', '"2","Bob","6"')),
    Head("backslashes before quotes", _text("id,said,n", r'1,"a \"big\", dog",5', r'2,"no \"x\"",6'), escape="\\"),
    Head("backslashes in paths", _text("id,path,n", r'1,"C:\dir\a",5', r'2,"D:\x\b",6')),
    Head("a path that ends with a backslash", _text("id,path,n", r'1,"C:\dir\",5', r'2,"D:\x\",6')),
    Head("single quotes", _text("id,name,n", "1,'Doe, Jane',5", "2,'Roe, John',6"), quote="'"),
    Head("apostrophes", _text("id,name,n", "1,O'Neil,5", "2,it's fine,6", "3,D'Arc,7", '4,"x, y",8')),
    Head("inches", _text("id,pipe,n", '1,5" steel,5', '2,3" copper,6', '3,2" tin,7'), quote=None),
    Head("times", _text("id,at,n", "1,10:15:30,5", "2,11:20:00,6", "3,23:59:59,7")),
    Head("dates and times", _text("at,n", "2020-01-02 10:15:30,5", "2020-01-03 11:20:00,6"), columns=2),
    Head("dates with slashes", _text("day;n;m", "01/02/2020;5;6", "03/04/2021;7;8"), ";"),
    Head("addresses", _text("site,mail,n", "https://a.org/x?y=1&z=2,a@b.org,1", "http://c.org:80/,d@e.org,2")),
    Head("comments above", _text("# made by hand", "# in 2020, at night", *_PLAIN), comment="#"),
    Head("comments between", _text(*_PLAIN[:2], "# the rest is new", *_PLAIN[2:]), comment="#"),
    Head("a header that looks like a comment", _text("#id,name,amount", *_PLAIN[1:])),
    Head("blank lines", _text(_PLAIN[0], "", *_PLAIN[1:], "")),
    Head("two numbers", _text("1,2", "3,4", "5,6"), columns=2, header=False),
    Head("numbers and gaps", _text("id,n", "1,1", "x", "2,2", "3,3", "4,4", "x"), columns=2),
    Head("one column of numbers", _text("1", "2", "3", "4"), columns=1, header=False),
    Head("one column with a name", _text("n", "1", "2", "3.5"), columns=1),
    Head("one column of times", _text("2020-01-02 10:15:30", "2020-01-03 11:20:00"), columns=1, header=False),
    Head("one column of names", _text("Anna Smith", "Bob Jones", "Carol King"), columns=1, header=False),
    Head(
        "prose",
        _text(
            "It was late, and nobody came.",
            "So we went home: first by bus, then on foot, and then, at last, by taxi.",
            "Nothing else happened.",
            "The next day, though, all was well again.",
            "We ate; we slept; we rose.",
        ),
        "\x1f",
        columns=1,
        header=False,
    ),
    Head("empty values", _text("a,b,c", ",1,", "2,,", ",,3", "4,5,6")),
    Head("ragged lines", _text(*_PLAIN, "4,Dan", "5,Eve,1.5,x", "6,Fay,2.5", "7,Gil,3.5")),
    Head("words only", _text("name,place,colour", "Anna,Bern,red", "Bob,Rome,blue", "Carol,Oslo,red")),
    Head("words without names", _text("Anna,Bern,red", "Bob,Rome,blue", "Anna,Oslo,red"), header=False),
    Head("numbers without names", _text("1,2,3", "4,5,6", "7,8,9"), header=False),
    Head("years as names", _text("country,2019,2020", "Chad,1.5,2.5", "Peru,3.5,4.5")),
    Head("a byte-order mark", b"\xef\xbb\xbf" + _text(*_PLAIN)),
    Head("UTF-8", _text(*_CITIES)),
    Head("UTF-16 with a mark", "\n".join(_CITIES).encode("utf-16"), encoding="utf-16"),
    Head("UTF-16, little end first", "\n".join(_PLAIN).encode("utf-16-le"), encoding="utf-16-le"),
    Head("UTF-16, big end first", "\n".join(_CITIES).encode("utf-16-be"), encoding="utf-16-be"),
    Head("UTF-16 in Japanese", "\n".join(_JAPANESE).encode("utf-16-le"), encoding="utf-16-le"),
    Head("Western", "\n".join(_CITIES).encode("cp1252"), encoding="cp1252"),
    Head("Western dashes", "a,b,c\n1,x – y,2\n3,“z”,4\n".encode("cp1252"), encoding="cp1252"),
    Head("Shift-JIS", "\n".join(_JAPANESE).encode("cp932"), encoding="cp932"),
    Head("EUC-JP", "\n".join(_JAPANESE).encode("euc_jp"), encoding="euc_jp"),
    Head("GB 18030", "\n".join(_CHINESE).encode("gb18030"), encoding="gb18030"),
    Head("Korean", "\n".join(_KOREAN).encode("cp949"), encoding="cp949"),
    Head("Cyrillic", "\n".join(_RUSSIAN).encode("cp1251"), encoding="cp1251"),
    Head("KOI-8", "\n".join(_RUSSIAN).encode("koi8-r"), encoding="koi8-r"),
)
