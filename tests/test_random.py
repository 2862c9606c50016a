"""The project's own random numbers: the same everywhere, and fair."""

import pytest

from minewright._kernel import Random

WORD = 2**64 - 1


def rotate(x: int, k: int) -> int:
    return (x << k | x >> (64 - k)) & WORD


def xoshiro256(state: list[int], count: int) -> list[int]:
    """Return numbers of the published xoshiro256**, computed in plain integers."""
    draws = []
    for _ in range(count):
        draws.append(rotate(state[1] * 5 & WORD, 7) * 9 & WORD)
        shifted = state[1] << 17 & WORD
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotate(state[3], 45)
    return draws


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def seeded(seed: int, stream: int) -> list[int]:
    start = mix(seed) ^ mix((stream + 0x632BE59BD9B4E019) & WORD)
    return [mix((start + k * 0x9E3779B97F4A7C15) & WORD) for k in range(1, 5)]


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def test_the_reference_gives_the_published_sequence() -> None:
    assert xoshiro256([1, 2, 3, 4], 4) == [11520, 0, 1509978240, 1215971899390074240]


@pytest.mark.parametrize("seed", [0, 1, 7, WORD])
@pytest.mark.parametrize("stream", [0, 1, WORD])
def test_a_seed_and_stream_give_the_same_numbers_everywhere(seed: int, stream: int) -> None:
    random = Random(seed, stream)
    assert [random.next() for _ in range(100)] == xoshiro256(seeded(seed, stream), 100)


def test_the_numbers_never_change_between_versions() -> None:
    random = Random(7)
    words = [random.next() for _ in range(3)]
    assert words == [0xFB6F70F2AD6412A2, 0x9CD079E3DEA41AE0, 0x164A5B4C4BE59994]
    assert [random.below(6) for _ in range(12)] == [4, 0, 3, 3, 4, 3, 5, 0, 0, 5, 1, 5]
    assert random.uniform() == float.fromhex("0x1.7aa79d13ae054p-3")


def test_streams_of_one_seed_differ() -> None:
    assert len({Random(1, stream).next() for stream in range(1000)}) == 1000


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 480])
def test_below_is_uniform(bound: int) -> None:
    random = Random(3, bound)
    counts = [0] * bound
    for _ in range(200 * bound):
        counts[random.below(bound)] += 1
    # Five standard deviations above the mean of the statistic.
    degrees = bound - 1
    assert chi_square(counts, 200) <= degrees + 5 * (2 * degrees) ** 0.5


def test_below_rejects_the_remainder_that_would_favour_small_numbers() -> None:
    bound = 3 << 62
    random = Random(5)
    # A plain remainder would be below a third of the bound half of the time.
    low = sum(random.below(bound) < bound // 3 for _ in range(3000))
    assert abs(low - 1000) < 130


def test_below_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Random(0).below(0)


def test_uniform_fills_the_unit_interval_evenly() -> None:
    random = Random(11)
    counts = [0] * 20
    for _ in range(20_000):
        draw = random.uniform()
        assert 0 <= draw < 1
        counts[int(draw * 20)] += 1
    assert chi_square(counts, 1000) < 19 + 5 * 38**0.5
