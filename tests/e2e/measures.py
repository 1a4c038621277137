"""Measures of a page, each a function for the page to evaluate."""

from __future__ import annotations

from typing import Final

__all__ = ["CUT", "INSIDE", "OVERFLOW", "ROOM", "SMALL", "STRIPS"]

#: For each card of a zone the width of the widest strip in its upper half where a tap would hit it.
STRIPS: Final = """zone => [...document.querySelectorAll(zone + ' [data-card]')].map(card => {
    const box = card.getBoundingClientRect();
    let best = 0;
    for (const part of [0.12, 0.3, 0.5]) {
        let run = 0;
        for (let x = Math.ceil(box.left); x < box.right; x++) {
            const hit = document.elementFromPoint(x, box.top + box.height * part);
            run = hit && card.contains(hit) ? run + 1 : 0;
            best = Math.max(best, run);
        }
    }
    return best;
})"""
OVERFLOW: Final = """() => {
    const root = document.documentElement;
    return [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
}"""
#: By how much each meld area scrolls, and how much room it has left: theirs, then ours.
ROOM: Final = """() => ['.them', '.us'].map(side => {
    const area = document.querySelector(`.board ${side} .area`);
    const low = Math.max(...[...area.children].map(one => one.getBoundingClientRect().bottom));
    return [area.scrollHeight - area.clientHeight, area.getBoundingClientRect().bottom - low];
})"""
#: Buttons and targets that are too small to tap, by name.
SMALL: Final = """() => [...document.querySelectorAll('button, a[href], input, select, summary, [role=button]')]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(one => !one.closest('[data-zone=hand]') && !one.closest('p'))
    .map(one => {
        const box = one.getBoundingClientRect();
        const x = box.left + box.width / 2, y = box.top + box.height / 2;
        const hits = (dx, dy) => one.contains(document.elementFromPoint(x + dx, y + dy));
        const wide = box.width >= 40 || (hits(-19, 0) && hits(19, 0));
        const high = box.height >= 40 || (hits(0, -19) && hits(0, 19));
        return wide && high ? '' : `${one.outerHTML.slice(0, 120)} ${box.width}x${box.height}`;
    })
    .filter(one => one)"""
INSIDE: Final = """selector => [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility())
    .map(one => one.getBoundingClientRect())
    .every(box => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 0.5 && box.right <= innerWidth + 0.5)"""
#: Buttons whose words do not fit: wider or higher inside than out, or beyond the edge of the screen; a row that is
#: made to be pushed sideways may go beyond it.
CUT: Final = """() => {
const slides = one => one !== null && (
    ['auto', 'scroll'].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth
    || slides(one.parentElement));
return [...document.querySelectorAll(
    'button, a.button, [role=button], select, label, legend, summary, nav a')]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(one => !one.closest('[data-zone=hand]') && !one.matches('[data-zone]') && !one.closest('.sr-only'))
    .map(one => {
        const box = one.getBoundingClientRect();
        const over = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
        const shows = getComputedStyle(one).display !== 'inline' && one.tagName !== 'SELECT';
        const cut = shows && (over[0] > 1 || over[1] > 1);
        const out = box.width > 0 && !slides(one) && (box.left < -0.5 || box.right > innerWidth + 0.5);
        return cut || out ? `${one.outerHTML.slice(0, 160)} over ${over} at ${box.left}..${box.right}` : '';
    })
    .filter(one => one);
}"""
