"""Builds lexicon.zst from Debian's `scowl` 2020.12.07 and `wordnet-base` 3.0 packages.

In an empty folder: `apt download scowl wordnet-base`, `for p in *.deb; do dpkg -x $p raw/x; done`, then run this
script and put lexicon.zst into src/language/text/data. Any change of its content raises
`VERSION` in src/models/local/heuristic.
"""
import re, glob, os, subprocess, collections
S='raw/x/usr/share/dict/scowl/'; W='raw/x/usr/share/wordnet/'
level={}
for f in sorted(glob.glob(S+'*')):
    b=os.path.basename(f)
    m=re.match(r'(english|american|british|british_z|british_variant_1|british_variant_2|variant_1|variant_2|canadian|australian|australian_variant_1)-(words|contractions)\.(\d+)$',b)
    if not m: continue
    n=int(m[3])
    if n>70: continue
    for w in open(f,encoding='latin-1'):
        w=w.strip()
        if not re.fullmatch(r"[a-z][a-z']*",w): continue
        if w.endswith("'s"): continue
        if len(w)==1 and w not in 'aio': continue
        level[w]=min(level.get(w,99),n)
cnt=collections.defaultdict(lambda: collections.Counter())
lem=collections.defaultdict(set)
for pos,c in (('noun','n'),('verb','v'),('adj','a'),('adv','r')):
    for l in open(W+'index.'+pos):
        if l[0]==' ': continue
        w=l.split()[0]
        if re.fullmatch(r"[a-z']+",w): lem[w].add(c)
        # tagsense count not the number; counts come from cntlist
tm={'1':'n','2':'v','3':'a','4':'r','5':'a'}
for l in open(W+'cntlist.rev'):
    k,s,n=l.split(); w,r=k.split('%'); cnt[w][tm[r[0]]]+=int(n)
def sig(w,c):
    if c not in lem.get(w,()): return False
    t=sum(cnt[w].values())
    return t==0 or cnt[w][c]/t>=0.1
irr=collections.defaultdict(set)
for l in open(W+'verb.exc'):
    p=l.split()
    for b in p[1:]: irr[p[0]].add(b)
def bases_ed(w):
    out=set()
    if w in irr and not w.endswith('ing') and not w.endswith('s'): out|=irr[w]
    if w.endswith('ed'):
        for b in (w[:-2],w[:-1],(w[:-3]+'y') if w.endswith('ied') else '', w[:-3] if len(w)>4 and w[-3]==w[-4] else ''):
            if b and 'v' in lem.get(b,()): out.add(b)
    return out
def singulars(w):
    if not w.endswith('s') or w.endswith('ss'): return []
    return [w[:-1]]+([w[:-3]+'y'] if w.endswith('ies') else [])+([w[:-2]] if w.endswith('es') else [])
def plural(w):
    return w not in lem and any('n' in lem.get(b,()) and sig(b,'n') and 'v' not in lem.get(b,()) for b in singulars(w))
lines=[]
for w in sorted(level):
    n=level[w]; lv=0 if n<=10 else 1 if n<=20 else 2 if n<=35 else 3 if n<=55 else 4
    f=0
    if 'v' in lem.get(w,()) and sig(w,'v'): f|=1
    if bases_ed(w): f|=2
    if sig(w,'n') or plural(w): f|=4
    if sig(w,'a'): f|=8
    if sig(w,'r'): f|=16
    if 'n' in lem.get(w,()) or any('n' in lem.get(b,()) for b in singulars(w)): f|=32
    lines.append(f"{w}{lv}{chr(48+f)}")
raw=('\n'.join(lines)+'\n').encode()
open('raw/lex.txt','wb').write(raw)
# front coding: one char for the length shared with the previous word
out=[];prev=''
for l in lines:
    k=0
    w=l[:-2]
    while k<min(len(prev),len(w),25) and prev[k]==w[k]: k+=1
    out.append(chr(97+k)+l[k:]); prev=w
fc='\n'.join(out).encode(); open('raw/lexfc.txt','wb').write(fc)
print(len(lines),len(raw),len(fc))
