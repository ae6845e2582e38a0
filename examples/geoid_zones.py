"""Heights of the geoid by zones of latitude, in Python: the same bits in any order and however they are computed.

    geoid_zones.py GEOID.npy

The file holds heights in metres, f32, in rows from the south pole to the north pole. Fails when a bit differs.
"""

import itertools
import sys

import numpy as np
import onefold
from onefold.algorithms import weighted_mean
from onefold.segment import segment_max, segment_mean, segment_min, segment_variance

ZONES = ["90S to 60S", "60S to 30S", "30S to equator", "equator to 30N", "30N to 60N", "60N to 90N"]
THREADS = (1, 2, 7)


def summarize(heights, zones):
    """Of each zone the lowest, the mean, the highest height and the variance."""
    reductions = segment_min, segment_mean, segment_max, segment_variance
    return [reduction(heights, zones, len(ZONES)).numpy() for reduction in reductions]


def main(path):
    heights = np.load(path, mmap_mode="r")
    latitudes = np.broadcast_to(np.linspace(-90, 90, len(heights))[:, np.newaxis], heights.shape)
    zones = np.minimum((latitudes + 90) // 30, len(ZONES) - 1).astype(np.int8)

    summary = summarize(heights.reshape(-1), zones.reshape(-1))
    print(f"{'zone':<16}{'lowest':>10}{'mean':>10}{'highest':>10}{'std':>10}   bits of mean")
    for name, low, mean, high, variance in zip(ZONES, *summary):
        print(f"{name:<16}{low:10.2f}{mean:10.3f}{high:10.2f}{variance**0.5:10.3f}   {mean.tobytes().hex()}")
    globe = weighted_mean(heights, np.cos(np.radians(latitudes)))
    print(f"\nWeighted by area, the mean of the globe is {globe:.6f} m.")

    shuffled = np.random.default_rng(1996).permutation(heights.size)
    orders = {"as stored": slice(None), "reversed": slice(None, None, -1), "shuffled": shuffled}
    wrong = 0
    for isa, threads, order in itertools.product(onefold.instruction_sets(), THREADS, orders):
        onefold.set_instruction_set(isa)
        onefold.set_threads(threads)
        again = summarize(heights.reshape(-1)[orders[order]], zones.reshape(-1)[orders[order]])
        if b"".join(map(bytes, again)) != b"".join(map(bytes, summary)):
            print(f"{isa}, {threads} threads, {order}: other bits")
            wrong += 1
    if wrong:
        sys.exit(f"geoid_zones: {wrong} ways give other bits")
    ways = len(onefold.instruction_sets()) * len(THREADS) * len(orders)
    print(f"All {ways} ways to compute the table give the same bits.")


if __name__ == "__main__":
    main(*sys.argv[1:])
